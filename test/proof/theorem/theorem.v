(* SPDX-License-Identifier: MIT *)
(* theorem.v - all theorems of one wheel, in one; and the wheels of lib/ *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model exact order ends bounded words.
Import ListNotations.
Open Scope Z_scope.

Definition slots_of_clock (k : nat) : Z :=
  match k with
  | O | 1%nat => 60
  | 2%nat => 24
  | _ => 7
  end.

Lemma slots_of_clock_pos k : 0 < slots_of_clock k.
Proof. now destruct k as [|[|[|k]]]. Qed.

(* As lib/wheel.c is without CONFIG_JIF_SPREAD, and as it is with it. *)
Definition plain : rings :=
  {| levels := 4; slots := slots_of_clock; turns := 1; moves := 0;
     levels_pos := ltac:(lia); slots_pos := slots_of_clock_pos;
     turns_range := ltac:(auto) |}.

Definition spread (k : nat) : rings :=
  {| levels := 4; slots := slots_of_clock; turns := 2; moves := k;
     levels_pos := ltac:(lia); slots_pos := slots_of_clock_pos;
     turns_range := ltac:(auto) |}.

Lemma a_week : @week plain = 604800 /\ forall k, @week (spread k) = 604800.
Proof. easy. Qed.

(* For each: *)
Definition correct (R : rings) : Prop :=
  forall (w : wheel) (h : list event), reachable (w, h) -> forall t,
  (* W2: what is to run is on one list, once; all else is on none; *)
  ((asked h t = None /\ forall s, ~ In t (list_of w s)) \/
   (asked h t <> None /\ exists s, slot_of w t = Some s /\
    count_occ Nat.eq_dec (list_of w s) t = 1%nat /\
    forall s', In t (list_of w s') -> s' = s)) /\
  (* W3: its place gives the expiry that was asked for; *)
  (forall x n late, asked h t = Some (x, n, late) -> expiry_of w t = x) /\
  (* W6: it ran only at the tick for which it was to run then, *)
  (forall c after before, h = after ++ Ran t c :: before ->
   exists n late, asked before t = Some (c, n, late)) /\
  (* once for each time that it was armed, *)
  (forall c1 c2 h1 h2 h3, h = h1 ++ Ran t c2 :: h2 ++ Ran t c1 :: h3 ->
   exists x, In (Armed t x) h2) /\
  (* and that tick is not over before it has run; *)
  (forall x n late, asked h t = Some (x, n, late) ->
   clk w <= x /\ (due w = 0%nat -> clk w < x)) /\
  (* W7: the next stop is not later. *)
  match next_stop w with
  | None => asked h t = None
  | Some stop =>
    forall x n late, asked h t = Some (x, n, late) -> stop <= x
  end /\
  (* W5: of those due at one tick that were not postponed, the first to be armed
     ran first. *)
  (forall c after before n t2 n2, h = after ++ Ran t c :: before ->
   asked before t = Some (c, n, false) ->
   asked before t2 = Some (c, n2, false) -> (n <= n2)%nat) /\
  (* A run comes to its end, however far each of its steps goes. *)
  (forall like target, clk w <= target ->
   exists n, let v := fst (run n like target (w, h)) in
     at_rest v target = true /\ clk v = target).

Theorem every_wheel : forall R : rings, correct R.
Proof.
  intros R w h H t. split; [now apply on_one_list|]. split.
  { intros x n late. now apply place_gives_expiry. }
  split.
  { intros c after before E. now apply (runs_on_its_tick w h _ t c H) in E. }
  split. { intros c1 c2 h1 h2 h3. now apply runs_once with w. }
  split. { intros x n late. now apply never_late. }
  split.
  { pose proof (stops_in_time w h H) as S. destruct (next_stop w); [|easy].
    intros x n late. apply S. }
  split.
  { intros c after before n t2 n2 E. now apply (runs_in_order w h after). }
  intros like target L.
  apply (run_ends like target (w, h)); [now apply reachable_sound|exact L].
Qed.

Theorem this_wheel : correct plain /\ forall k, correct (spread k).
Proof. split; intros; apply every_wheel. Qed.

(* With spreading: a tick moves K entries at most, but for those that had been
   postponed, if the one before it had moves to spare: if it made fewer. *)
Theorem spread_ticks k m s :
  @tick (spread k) m s ->
  (spare m = true -> anew m = 0%nat -> (all m <= k)%nat) /\
  (in_advance m <> 0%nat -> (all m <= k)%nat) /\
  (ahead (fst s) = 0%nat -> (k <= all m)%nat).
Proof. now apply (@tick_bounded (spread k)). Qed.

(* A run moves each entry three times at most, if nothing is due in a later week
   or was postponed. *)
Theorem three_moves R n like target s ts :
  @levels R = 4%nat -> plainly s ts ->
  (moves_of n like target s <= 3 * length ts)%nat.
Proof.
  intros L H. pose proof (run_moves n like target ts s H) as M.
  now rewrite L in M.
Qed.

(* With words of 32 bits: words.v tells what each of these says. *)
Definition in_words (R : rings) (fits : 2 * week <= reach) :=
  (@not_past_words R, @place_words R fits, @far_words R,
   @expiry_words R fits, @later_words R fits, @rest_words R, @down_words R,
   @below_words R, @slot_words R fits, @week_words R fits, @clock_words R,
   @target_words R, @begin_words R, @turn_words R fits,
   @hands_words R, @due_words R fits).

Definition in_words_of_lib :=
  (in_words plain ltac:(easy), fun k => in_words (spread k) ltac:(easy)).

Print Assumptions every_wheel.
Print Assumptions this_wheel.
Print Assumptions spread_ticks.
Print Assumptions three_moves.
Print Assumptions in_words_of_lib.
