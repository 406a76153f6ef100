(* SPDX-License-Identifier: MIT *)
(*
 * model.v - lib/wheel.c as functions, for rings of any size
 *
 * Ticks are whole numbers without a bound, counted from the beginning of some
 * week. Hands are what divisions of the clock give; for the C, every.c tries
 * that. Lists are as long as they like, and have no bits: a slot is looked at.
 *
 * What is done is kept as a history, from which asked tells what was asked for:
 * it knows no slots. The theorems are about histories; the wheel never reads
 * one.
 *)
From Coq Require Import ZArith List Bool.
Import ListNotations.
Open Scope Z_scope.

(* The slots of the levels; with spreading, two turns, and so many moves. *)
Class rings := {
  levels : nat;
  slots : nat -> Z;
  turns : Z;
  moves : nat;
  levels_pos : (0 < levels)%nat;
  slots_pos : forall k, 0 < slots k;
  turns_range : turns = 1 \/ turns = 2
}.

Definition id := nat.

(* The level, and which of its slots. *)
Definition slot : Set := nat * Z.

Record wheel := {
  clk : Z;
  due : nat;                    (* so many levels may have entries for now *)
  ahead : nat;                  (* may still be moved ahead on this tick *)
  week_hand : Z;
  far_due : Z;                  (* nothing is due sooner in the last list *)
  list_of : slot -> list id;
  slot_of : id -> option slot;
  remaining : id -> Z
}.

Definition slot_eqb (s s' : slot) : bool :=
  Nat.eqb (fst s) (fst s') && (snd s =? snd s').

Definition set_slot {V} (f : slot -> V) (s : slot) (v : V) : slot -> V :=
  fun s' => if slot_eqb s s' then v else f s'.

Definition set_id {V} (f : id -> V) (t : id) (v : V) : id -> V :=
  fun t' => if Nat.eqb t t' then v else f t'.

Section Wheel.
Context {R : rings}.

(* Rings *)

(* Ticks per slot: a slot is a turn of the ring below. *)
Fixpoint ticks (k : nat) : Z :=
  match k with
  | O => 1
  | S j => ticks j * slots j
  end.

Definition week : Z := ticks levels.
Definition size (k : nat) : Z := turns * slots k.

(* When the hand of a level moved last. *)
Definition floor (k : nat) (c : Z) : Z := ticks k * (c / ticks k).
Definition moved (w : wheel) (k : nat) : Z := floor k (clk w).
Definition hand (w : wheel) (k : nat) : Z := (clk w / ticks k) mod size k.

Definition wrap (k : nat) (i : Z) : Z := if i <? size k then i else i - size k.

(*
 * Above the levels, a ring of lists: under its hand what was taken for this
 * week, then, with spreading, for the next one, and last what is due later.
 *)
Definition far_list (w : wheel) (further : Z) : slot :=
  (levels, (week_hand w + further) mod (turns + 1)).
Definition taken (w : wheel) : slot := far_list w 0.
Definition next (w : wheel) : slot := far_list w 1.
Definition far (w : wheel) : slot := far_list w turns.

Definition is_empty (w : wheel) (s : slot) : bool :=
  match list_of w s with
  | [] => true
  | _ => false
  end.

(*
 * What is later waits here: what goes on from a list that was taken, and not
 * below the weeks, in the next one, where all of its tick was armed later.
 *)
Definition later (w : wheel) (l : nat) : slot :=
  if Nat.eqb l levels then next w else far w.

(* Placing *)

Definition spans (c : Z) (k : nat) (x : Z) : bool :=
  if turns =? 1 then x - c <? ticks (S k)
  else x - floor (S k) c <? turns * ticks (S k).

(* The lowest of n levels from k on that spans; or that of what is far. *)
Fixpoint level_for (c x : Z) (k n : nat) : nat :=
  match n with
  | O => levels
  | S n => if spans c k x then k else level_for c x (S k) n
  end.

(* Where what is due at x goes, not below level l, and what remains then. *)
Definition place_of (w : wheel) (x : Z) (l : nat) : slot * Z :=
  let k := level_for (clk w) x l (levels - l) in
  if (k <? levels)%nat then
    let s := (x - moved w k) / ticks k in
    ((k, wrap k (hand w k + s)), x - moved w k - s * ticks k)
  else (later w l, x).

Definition place (w : wheel) (t : id) (x : Z) (l : nat) (front : bool) :
    wheel :=
  let (s, r) := place_of w x l in
  {| clk := clk w;
     due := due w;
     ahead := ahead w;
     week_hand := week_hand w;
     far_due :=
       if (fst s <? levels)%nat || Nat.eqb l levels then far_due w
       else if is_empty w s || (x <? far_due w) then x
       else far_due w;
     list_of := set_slot (list_of w) s
       (if front then t :: list_of w s else list_of w s ++ [t]);
     slot_of := set_id (slot_of w) t (Some s);
     remaining := set_id (remaining w) t r |}.

Definition dequeue (w : wheel) (t : id) : wheel :=
  match slot_of w t with
  | None => w
  | Some s =>
    {| clk := clk w;
       due := due w;
       ahead := ahead w;
       week_hand := week_hand w;
       far_due := far_due w;
       list_of := set_slot (list_of w) s
         (remove Nat.eq_dec t (list_of w s));
       slot_of := set_id (slot_of w) t None;
       remaining := remaining w |}
  end.

(* When a pending timer expires. *)
Definition expiry_of (w : wheel) (t : id) : Z :=
  match slot_of w t with
  | None => clk w
  | Some (k, i) =>
    if (k <? levels)%nat then
      let visit := moved w k + (i - hand w k) * ticks k in
      (if visit <? clk w then visit + size k * ticks k else visit)
        + remaining w t
    else remaining w t
  end.

Definition not_past (w : wheel) (x : Z) : Z :=
  if clk w <? x then x else clk w + 1.

Definition add (w : wheel) (t : id) (x : Z) : wheel :=
  place w t (not_past w x) 0 false.

Definition postpone (w : wheel) (t : id) (later : Z) : wheel :=
  {| clk := clk w;
     due := due w;
     ahead := ahead w;
     week_hand := week_hand w;
     far_due := far_due w;
     list_of := list_of w;
     slot_of := slot_of w;
     remaining := set_id (remaining w) t (remaining w t + later) |}.

(* The next stop *)

(* The first of n slots from distance d of a hand on that has entries. *)
Fixpoint find (w : wheel) (k : nat) (h d : Z) (n : nat) : option Z :=
  match n with
  | O => None
  | S n =>
    if is_empty w (k, wrap k (h + d)) then find w k h (d + 1) n else Some d
  end.

Definition nearer (a : Z) (b : option Z) : option Z :=
  match b with
  | None => Some a
  | Some b => Some (Z.min a b)
  end.

(*
 * The ticks until the hand of the weeks has to move: at the end of the week
 * before that in which far_due is. With spreading, that may be less.
 *)
Definition ticks_to_week (w : wheel) : Z :=
  let left := far_due w - clk w in
  if turns =? 1 then
    Z.max (moved w levels + week) (floor levels (far_due w)) - clk w
  else if turns * week <? left then left - turns * week
  else moved w levels + week - clk w.

(* With spreading, a slot above the seconds is for the turn before it. *)
Definition early (k : nat) : Z :=
  if (turns =? 2) && negb (Nat.eqb k 0) then 1 else 0.

(* The ticks until one of n levels from k on, or the week, has to stop. *)
Fixpoint stop_from (w : wheel) (k n : nat) : option Z :=
  match n with
  | O => if is_empty w (far w) then None else Some (ticks_to_week w)
  | S n =>
    match find w k (hand w k) 1 (Z.to_nat (size k)) with
    | None => stop_from w (S k) n
    | Some d =>
      let stop := (d - early k) * ticks k - (clk w - moved w k) in
      if hand w k mod slots k + d <? slots k then Some stop
      else nearer stop (stop_from w (S k) n)
    end
  end.

(* The slot to be moved ahead next, of n levels from k on or of the weeks. *)
Fixpoint ahead_from (w : wheel) (k n : nat) : option slot :=
  match n with
  | O => if is_empty w (next w) then None else Some (next w)
  | S n =>
    let s := (k, wrap k (hand w k + 1)) in
    if is_empty w s then ahead_from w (S k) n else Some s
  end.

Definition next_ahead (w : wheel) : option slot :=
  if turns =? 1 then None else ahead_from w 1 (levels - 1).

Definition ticks_to_stop (w : wheel) : option Z :=
  match next_ahead w with
  | Some _ => Some 1
  | None => stop_from w 0 levels
  end.

(*
 * The ticks for which time may move on at once: to the next slot that has
 * entries of the lowest of n levels from k on that has some, or to the end of
 * that ring. With spreading, that is the next stop.
 *)
Fixpoint step_from (w : wheel) (k n : nat) : option Z :=
  match n with
  | O => if is_empty w (far w) then None else Some (ticks_to_week w)
  | S n =>
    match find w k (hand w k) 1 (Z.to_nat (size k)) with
    | None => step_from w (S k) n
    | Some d =>
      Some (Z.min d (slots k - hand w k) * ticks k - (clk w - moved w k))
    end
  end.

Definition ticks_to_step (w : wheel) : option Z :=
  if turns =? 1 then step_from w 0 levels else ticks_to_stop w.

(* When to run next; none, if nothing is pending. *)
Definition next_stop (w : wheel) : option Z :=
  if (1 <? due w)%nat || negb (is_empty w (0%nat, hand w 0)) then Some (clk w)
  else option_map (Z.add (clk w)) (ticks_to_stop w).

(* Running *)

(* How many of n levels from k on have just moved their hands, k others. *)
Fixpoint due_from (c : Z) (k n : nat) : nat :=
  match n with
  | O => k
  | S n => if floor k c =? c then due_from c (S k) n else k
  end.

(* The hand of the weeks stays until a list matters for those that begin. *)
Definition begin_week (w : wheel) (c : Z) : Z :=
  if negb (floor levels c =? moved w levels) &&
     ((far_due w - floor levels c <? turns * week) ||
      ((turns =? 2) && negb (is_empty w (next w))))
  then (week_hand w + 1) mod (turns + 1)
  else week_hand w.

Definition advance (w : wheel) (most : Z) : wheel :=
  let n :=
    match ticks_to_step w with
    | Some step => Z.min step most
    | None => most
    end in
  let c := clk w + Z.max 1 n in
  {| clk := c;
     due := due_from c 0 (S levels);
     ahead := moves;
     week_hand := begin_week w c;
     far_due := far_due w;
     list_of := list_of w;
     slot_of := slot_of w;
     remaining := remaining w |}.

Definition requeue (w : wheel) (t : id) (l : nat) (x : Z) : wheel :=
  let w := place (dequeue w t) t x l true in
  {| clk := clk w;
     due := due w;
     ahead := pred (ahead w);
     week_hand := week_hand w;
     far_due := far_due w;
     list_of := list_of w;
     slot_of := slot_of w;
     remaining := remaining w |}.

Definition set_due (w : wheel) (d : nat) : wheel :=
  {| clk := clk w;
     due := d;
     ahead := ahead w;
     week_hand := week_hand w;
     far_due := far_due w;
     list_of := list_of w;
     slot_of := slot_of w;
     remaining := remaining w |}.

(* The slot that is emptied while so many levels, and one more, are due. *)
Definition reached (w : wheel) (d : nat) : slot :=
  if Nat.eqb d levels then taken w else (d, hand w d).

(* The lowest level to which what has been reached above level l may go. *)
Definition level_below (w : wheel) (t : id) (l : nat) : nat :=
  if (turns =? 2) && Nat.eqb (S l) levels &&
     (week <=? remaining w t - moved w levels)
  then levels else l.

(*
 * What a run does between two moments at which interrupts are let in: one
 * entry, or one advance by so many ticks at most. Tells what expires.
 *)
Definition step (w : wheel) (most : Z) : option id * wheel :=
  match due w with
  | S d =>
    match list_of w (reached w d) with
    | [] => (None, set_due w d)
    | first :: others =>
      let t := last others first in
      match d with
      | O =>
        if remaining w first =? 0 then (Some first, dequeue w first)
        else (None, requeue w first 0 (remaining w first + clk w))
      | S l =>
        (None, requeue w t (level_below w t l)
          (remaining w t + if Nat.eqb d levels then 0 else clk w))
      end
    end
  | O =>
    match ahead w, next_ahead w with
    | S _, Some s =>
      let t := last (list_of w s) O in
      (None, requeue w t (pred (fst s)) (expiry_of w t))
    | _, _ => (None, advance w most)
    end
  end.

(* Histories, the newest event first *)

Inductive event :=
| Armed (t : id) (x : Z)
| Deleted (t : id)
| Postponed (t : id) (x : Z)
| Ran (t : id) (c : Z).

(* What is asked for: when, since which arming, and whether with postponing. *)
Fixpoint asked (h : list event) (t : id) : option (Z * nat * bool) :=
  match h with
  | [] => None
  | Armed t' x :: h =>
    if Nat.eqb t' t then Some (x, length h, false) else asked h t
  | Deleted t' :: h => if Nat.eqb t' t then None else asked h t
  | Postponed t' x :: h =>
    if Nat.eqb t' t then
      match asked h t with
      | Some (_, n, _) => Some (x, n, true)
      | None => None
      end
    else asked h t
  | Ran t' _ :: h => if Nat.eqb t' t then None else asked h t
  end.

(* What can happen: calls, by anybody, and steps of a run, in any order. *)
Inductive op :=
| Add (t : id) (x : Z)
| Del (t : id)
| Mod (t : id) (x : Z)
| Reduce (t : id) (x : Z)
| Postpone (t : id) (x : Z)
| Step (most : Z).

Definition system : Type := wheel * list event.

Definition do_add (s : system) (t : id) (x : Z) : system :=
  let (w, h) := s in
  match slot_of w t with
  | Some _ => s
  | None => (add w t x, Armed t (not_past w x) :: h)
  end.

Definition do_del (s : system) (t : id) : system :=
  let (w, h) := s in
  match slot_of w t with
  | Some _ => (dequeue w t, Deleted t :: h)
  | None => s
  end.

Definition do_mod (s : system) (t : id) (x : Z) : system :=
  do_add (do_del s t) t x.

Definition mod_if_sooner (s : system) (t : id) (x : Z) (late : bool) : system :=
  let (w, h) := s in
  match slot_of w t with
  | None => do_add s t x
  | Some _ =>
    let later := not_past w x - expiry_of w t in
    if later <? 0 then do_mod s t x
    else if late then (postpone w t later, Postponed t (not_past w x) :: h)
    else s
  end.

Definition do_step (s : system) (most : Z) : system :=
  let (w, h) := s in
  match step w most with
  | (Some t, w') => (w', Ran t (clk w) :: h)
  | (None, w') => (w', h)
  end.

Definition do (s : system) (o : op) : system :=
  match o with
  | Add t x => do_add s t x
  | Del t => do_del s t
  | Mod t x => do_mod s t x
  | Reduce t x => mod_if_sooner s t x false
  | Postpone t x => mod_if_sooner s t x true
  | Step most => do_step s most
  end.

Definition init (now : Z) : system :=
  ({| clk := now;
      due := 0;
      ahead := 0;
      week_hand := 0;
      far_due := 0;
      list_of := fun _ => [];
      slot_of := fun _ => None;
      remaining := fun _ => 0 |}, []).

End Wheel.
