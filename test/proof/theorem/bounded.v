(* SPDX-License-Identifier: MIT *)
(* bounded.v - how many entries a run moves and, with spreading, a tick *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model arith invariant stop exact order ends.
Import ListNotations.
Open Scope Z_scope.

Section Bounded.
Context {R : rings}.

(* What there has been of a tick. *)
Record moved_so_far := {
  spare : bool;         (* the tick before it had moves to spare *)
  cascaded : nat;       (* from slots above the seconds, when reached *)
  anew : nat;           (* from that of the second, since postponed *)
  in_advance : nat      (* from slots that are not reached yet *)
}.

Definition all (m : moved_so_far) : nat :=
  (cascaded m + anew m + in_advance m)%nat.

(* What the next step adds, or what the next tick begins with. *)
Definition count (w : wheel) (m : moved_so_far) : moved_so_far :=
  let (b, c, n, a) := m in
  match due w with
  | S d =>
    match list_of w (reached w d), d with
    | [], _ => m
    | _, S _ => Build_moved_so_far b (S c) n a
    | first :: _, O =>
      if remaining w first =? 0 then m else Build_moved_so_far b c (S n) a
    end
  | O =>
    match ahead w, next_ahead w with
    | S _, Some _ => Build_moved_so_far b c n (S a)
    | k, _ => Build_moved_so_far (negb (Nat.eqb k 0)) 0 0 0
    end
  end.

Inductive tick : moved_so_far -> system -> Prop :=
| tick_first m s most : reachable s -> due (fst s) = 0%nat ->
    ahead (fst s) = 0%nat \/ next_ahead (fst s) = None ->
    tick (count (fst s) m) (do s (Step most))
| tick_call m s o : tick m s -> (forall most, o <> Step most) -> tick m (do s o)
| tick_step m s most : tick m s -> tick (count (fst s) m) (do s (Step most)).

(* Between two steps, nothing is put into a slot that has been reached. *)
Definition keeps (w w' : wheel) : Prop :=
  ahead w' = ahead w /\ due w' = due w /\
  forall d, (1 <= d < due w)%nat -> list_of w (reached w d) = [] ->
  list_of w' (reached w' d) = [].

Lemma add_keeps w A t x : inv w A -> keeps w (add w t x).
Proof.
  intros I. pose proof (not_past_after w x) as X.
  assert (E : forall d, (1 <= d < due w)%nat ->
    fst (place_of w (not_past w x) 0) <> reached w d).
  { intros d D. apply (place_elsewhere w A); auto; lia. }
  unfold keeps, add, place. destruct (place_of _ _ _) as [s r].
  cbn [fst] in E. repeat split; auto. intros d D L. cbn [list_of].
  change (reached _ d) with (reached w d). now rewrite set_slot_other by auto.
Qed.

Lemma dequeue_keeps w t : keeps w (dequeue w t).
Proof.
  unfold keeps. destruct (dequeue_clk w t) as (_ & -> & _).
  split; [unfold dequeue; now destruct (slot_of w t)|]. split; [easy|].
  intros d _ L. rewrite reached_same. unfold dequeue.
  destruct (slot_of w t) as [s|]; [|easy]. cbn [list_of].
  destruct (slot_dec s (reached w d)) as [->|N].
  - now rewrite set_slot_same, L.
  - now rewrite set_slot_other.
Qed.

Lemma keeps_trans w w' w'' : keeps w w' -> keeps w' w'' -> keeps w w''.
Proof.
  intros (A1 & D1 & L1) (A2 & D2 & L2). unfold keeps.
  rewrite A2, D2. repeat split; auto. intros d D L.
  apply L2; [now rewrite D1|]. now apply L1.
Qed.

Lemma add_call s t x : sound s -> keeps (fst s) (fst (do_add s t x)).
Proof.
  destruct s as [w h]. intros I. unfold do_add.
  destruct (slot_of w t); [easy|]. now apply (add_keeps w (asked h)).
Qed.

Lemma del_call s t : keeps (fst s) (fst (do_del s t)).
Proof.
  destruct s as [w h]. unfold do_del. destruct (slot_of w t); [|easy].
  apply dequeue_keeps.
Qed.

Lemma mod_call s t x : sound s -> keeps (fst s) (fst (do_mod s t x)).
Proof.
  intros I. eapply keeps_trans; [apply del_call|].
  now apply add_call, del_sound.
Qed.

Lemma call_keeps s o :
  sound s -> (forall most, o <> Step most) -> keeps (fst s) (fst (do s o)).
Proof.
  intros I N. assert (S : forall t x late,
    keeps (fst s) (fst (mod_if_sooner s t x late))).
  { intros t x late. unfold mod_if_sooner. destruct s as [w h].
    destruct (slot_of w t); [|now apply add_call].
    destruct (_ <? 0); [now apply mod_call|]. now destruct late. }
  destruct o; cbn [do]; auto using add_call, del_call, mod_call.
  now destruct (N most).
Qed.

(* What has been emptied ahead of time is empty when it is reached. *)
Lemma advance_empty w A most d :
  inv w A -> turns = 2 -> due w = 0%nat -> next_ahead w = None ->
  (1 <= d < due (advance w most))%nat ->
  list_of (advance w most) (reached (advance w most) d) = [].
Proof.
  intros I T D N HD. pose proof (advance_inv w A most I D) as I'.
  change (list_of (advance w most)) with (list_of w).
  assert (E : next_ahead w = ahead_from w 1 (levels - 1))
    by (unfold next_ahead; now rewrite T).
  rewrite N in E. symmetry in E. pose proof levels_pos as LP.
  assert (NE : is_empty w (next w) = true).
  { pose proof (ahead_from_spec w (levels - 1) 1 ltac:(lia)) as H.
    now rewrite E in H. }
  destruct (advance_quiet w A most I D) as [Q CC].
  assert (C : clk (advance w most) = clk w + 1 \/
    clk (advance w most) <= clk w + match stop_from w 0 levels with
      | Some stop => stop | None => clk (advance w most) - clk w end).
  { cbn [advance clk]. unfold ticks_to_step, ticks_to_stop. rewrite T, N. cbn.
    destruct (stop_from w 0 levels); lia. }
  destruct (list_of w (reached (advance w most) d)) as [|t l] eqn:L; [easy|].
  exfalso.
  assert (P : slot_of w t = Some (reached (advance w most) d)).
  { apply (i_list _ _ I). rewrite L. now left. }
  pose proof (i_due _ _ I') as [D1 D2]. specialize (D2 d ltac:(lia)).
  unfold reached in *. destruct (Nat.eqb_spec d levels) as [->|F].
  - assert (RO : role w (snd (taken (advance w most))) <= 1).
    { assert (HR : 0 <= snd (taken (advance w most)) < turns + 1)
        by (apply Z.mod_pos_bound; lia).
      assert (R0 : role (advance w most) (snd (taken (advance w most))) = 0)
        by (apply role_list; lia).
      assert (week_hand (advance w most) = week_hand w \/
              week_hand (advance w most) = (week_hand w + 1) mod (turns + 1))
        as [H|H] by (cbn; unfold begin_week; destruct (_ && _); auto).
      - unfold role in *. rewrite H in R0. lia.
      - pose proof (role_rotate w _ _ HR H) as RR. rewrite R0 in RR.
        destruct (Z.eqb_spec (role w (snd (taken (advance w most)))) 0); lia. }
    assert (HR : 0 <= snd (taken (advance w most)) < turns + 1)
      by (apply Z.mod_pos_bound; lia).
    pose proof (role_range w (snd (taken (advance w most)))).
    pose proof (list_role w _ HR) as LR.
    change (levels, snd (taken (advance w most))) with
      (taken (advance w most)) in LR. rewrite LR in P.
    destruct (Z.eq_dec (role w (snd (taken (advance w most)))) 0) as [Z|Z].
    + rewrite Z in P. apply (i_taken _ _ I) in P. lia.
    + replace (role w (snd (taken (advance w most)))) with 1 in P by lia.
      apply (is_empty_not _ _ _ _ I) in P. unfold next in NE. congruence.
  - assert (K : (d < levels)%nat) by lia. set (c := clk (advance w most)) in *.
    destruct (i_ring _ _ I _ _ _ P) as [[_ Hi]|]; [|lia].
    destruct Q as [Q _]. pose proof (Q _ _ _ P K) as V.
    assert (V' : visit (clk w) d (hand (advance w most) d) = c).
    { rewrite <- (visit_later (clk w) c d _ (conj (Z.lt_le_incl _ _ CC) V)).
      now apply (visit_hand (advance w most)). }
    destruct (visit_distance w d _ Hi ltac:(lia)) as (j & J1 & J2 & J3).
    assert (1 < j).
    { destruct (Z.eq_dec j 1) as [->|]; [|lia]. exfalso.
      assert (G : forall n k, ahead_from w k n = None -> (k <= d < k + n)%nat ->
        is_empty w (d, wrap d (hand w d + 1)) = true).
      { induction n as [|n IH]; intros k; cbn [ahead_from]; [lia|].
        destruct (is_empty w (k, _)) eqn:M; [|easy]. intros G' H.
        destruct (Nat.eq_dec k d) as [->|]; [easy|].
        apply (IH (S k)); auto. lia. }
      apply G in E; [|lia]. rewrite <- J2 in E.
      rewrite (is_empty_not _ _ _ _ I P) in E. easy. }
    pose proof (ticks_pos d). pose proof (floor_range d (clk w)).
    destruct C as [C|C].
    + rewrite V' in J3. unfold moved in J3. nia.
    + pose proof (stop_from_spec w A levels 0 I D eq_refl) as ST.
      destruct (stop_from w 0 levels) as [stop|]; cbn [stops] in ST.
      * destruct (ST c ltac:(lia)) as [S1 _].
        specialize (S1 t d _ P ltac:(lia)).
        replace (early d) with 1 in S1; [lia|]. unfold early. rewrite T.
        destruct (Nat.eqb_spec d 0); [lia|easy].
      * destruct ST as [S1 _]. apply (S1 t d _ P). lia.
Qed.

(* What is true while a tick goes on. *)
Definition tells (m : moved_so_far) (s : system) : Prop :=
  ahead (fst s) = (moves - all m)%nat /\
  (in_advance m = 0%nat \/ due (fst s) = 0%nat /\ (all m <= moves)%nat) /\
  (spare m = true -> cascaded m = 0%nat /\
    forall d, (1 <= d < due (fst s))%nat ->
    list_of (fst s) (reached (fst s) d) = []).

Lemma begins m s most :
  turns = 2 -> sound s -> due (fst s) = 0%nat ->
  ahead (fst s) = 0%nat \/ next_ahead (fst s) = None ->
  tells (count (fst s) m) (do s (Step most)).
Proof.
  destruct s as [w h], m as [b c n a]. cbn [fst do do_step].
  intros T I D N. unfold count, step. rewrite D.
  destruct (ahead w) as [|k] eqn:A.
  - split; [cbn; lia|]. split; [now left|easy].
  - destruct N as [|N]; [easy|]. rewrite N.
    split; [cbn; lia|]. split; [now left|]. intros _. split; [easy|].
    intros d HD. now apply (advance_empty w (asked h)).
Qed.

Theorem tick_tells m s : turns = 2 -> tick m s -> sound s /\ tells m s.
Proof.
  intros T H. induction H as [m s most H D N|m s o H [I (H1 & H2 & H3)] N|
    m s most H [I (H1 & H2 & H3)]].
  - apply reachable_sound in H. split; [now apply do_sound|now apply begins].
  - destruct (call_keeps s o I N) as (K1 & K2 & K3).
    split; [now apply do_sound|]. unfold tells. rewrite K1, K2.
    repeat split; auto.
    + now apply H3.
    + intros d D. apply K3; [easy|]. now apply H3.
  - split; [now apply do_sound|]. clear H.
    destruct (due (fst s)) as [|d] eqn:D.
    + destruct (ahead (fst s)) as [|k] eqn:A; [apply begins; auto|].
      destruct (next_ahead (fst s)) as [p|] eqn:N; [|apply begins; auto].
      destruct s as [w h], m as [b c n a]. cbn [fst do do_step] in *.
      unfold count, step, tells, all in *. rewrite D, A, N.
      destruct (requeue_same w (last (list_of w p) 0%nat) (pred (fst p))
        (expiry_of w (last (list_of w p) 0%nat)) 0) as (_ & Q1 & Q2 & _).
      cbn [fst spare cascaded anew in_advance] in *. rewrite Q1, Q2, A, D.
      repeat split; try lia; now apply H3.
    + destruct s as [w h], m as [b c n a]. cbn [fst do do_step] in *.
      unfold count, step, tells, all in *. rewrite D.
      cbn [spare cascaded anew in_advance] in *.
      assert (a = 0%nat) as -> by lia.
      destruct (list_of w (reached w d)) as [|first others] eqn:L.
      { cbn. repeat split; try lia; [now apply H3|].
        intros d' D'. apply H3; [easy|lia]. }
      destruct d as [|l].
      * destruct (Z.eqb_spec (remaining w first) 0).
        -- destruct (dequeue_keeps w first) as (Q1 & Q2 & _). cbn [fst].
           rewrite Q1, Q2, D. cbn [spare cascaded anew in_advance].
           repeat split; try lia; now apply H3.
        -- destruct (requeue_same w first 0 (remaining w first + clk w) 0)
             as (_ & Q1 & Q2 & _). cbn [fst spare cascaded anew in_advance].
           rewrite Q1, Q2, D. repeat split; try lia; now apply H3.
      * destruct (requeue_same w (last others first)
          (level_below w (last others first) l)
          (remaining w (last others first) +
           if Nat.eqb (S l) levels then 0 else clk w) 0) as (_ & Q1 & Q2 & _).
        cbn [fst spare cascaded anew in_advance]. rewrite Q1, Q2, D.
        split; [lia|]. split; [now left|]. intros B.
        apply H3 in B as [_ B]. rewrite B in L by lia. easy.
Qed.

(*
 * After a tick that had moves to spare, only what was postponed can make more
 * than K; and a tick that had none to spare has made K.
 *)
Theorem tick_bounded m s :
  turns = 2 -> tick m s ->
  (spare m = true -> anew m = 0%nat -> (all m <= moves)%nat) /\
  (in_advance m <> 0%nat -> (all m <= moves)%nat) /\
  (ahead (fst s) = 0%nat -> (moves <= all m)%nat).
Proof.
  intros T H. destruct (tick_tells m s T H) as (_ & H1 & H2 & H3).
  repeat split; [|lia|lia]. intros S A. specialize (H3 S) as [H3 _].
  unfold all in *. lia.
Qed.

(* The levels that all of these have yet to go down. *)
Definition level_of (w : wheel) (t : id) : nat :=
  match slot_of w t with
  | Some (k, _) => k
  | None => 0
  end.

Definition to_go (w : wheel) (ts : list id) : nat :=
  list_sum (map (level_of w) ts).

Lemma sum_le (f g : id -> nat) ts :
  (forall t, f t <= g t)%nat ->
  (list_sum (map f ts) <= list_sum (map g ts))%nat.
Proof.
  intros H. unfold list_sum. induction ts as [|t ts IH]; [easy|]. cbn.
  specialize (H t). lia.
Qed.

Lemma sum_lt (f g : id -> nat) ts t :
  (forall t, f t <= g t)%nat -> In t ts -> (f t < g t)%nat ->
  (list_sum (map f ts) < list_sum (map g ts))%nat.
Proof.
  intros H. induction ts as [|a ts IH]; [easy|]. specialize (H a) as Ha.
  pose proof (sum_le f g ts H) as S. unfold list_sum in *. cbn.
  intros [->|I] L; [lia|]. specialize (IH I L). lia.
Qed.

(* These are all that are pending, this week and as they were armed. *)
Record plainly (s : system) (ts : list id) : Prop := {
  p_sound : sound s;
  p_order : in_order s;
  p_all : forall t p, slot_of (fst s) t = Some p -> In t ts;
  p_week : forall t i, slot_of (fst s) t <> Some (levels, i);
  p_late : forall t x n late, asked (snd s) t = Some (x, n, late) ->
    late = false
}.

Definition none_yet : moved_so_far := Build_moved_so_far true 0 0 0.

Lemma requeue_slot w t l x t' :
  slot_of (requeue w t l x) t' =
  if Nat.eqb t t' then Some (fst (place_of (dequeue w t) x l))
  else slot_of w t'.
Proof.
  unfold requeue, place. destruct (place_of _ _ _) as [s r]. cbn [slot_of fst].
  unfold set_id at 1. destruct (Nat.eqb_spec t t'); [easy|].
  unfold dequeue. destruct (slot_of w t); [|easy]. cbn [slot_of].
  now rewrite set_id_other.
Qed.

(* A move is one level down. *)
Lemma down_one w t l x ts k i s :
  slot_of w t = Some (k, i) -> (k < levels)%nat -> In t ts ->
  down w (k, i) s x -> s = fst (place_of (dequeue w t) x l) ->
  (to_go (requeue w t l x) ts < to_go w ts)%nat /\
  forall t' j, slot_of (requeue w t l x) t' = Some (levels, j) ->
    slot_of w t' = Some (levels, j).
Proof.
  intros P K T D ES.
  assert (E : S (fst s) = k).
  { destruct D as [(m & -> & _ & [[H _]|[H _]])|[H _]]; cbn [fst] in *; lia. }
  assert (L : forall t', level_of (requeue w t l x) t' =
    if Nat.eqb t t' then fst s else level_of w t').
  { intros t'. unfold level_of. rewrite requeue_slot, <- ES.
    destruct (Nat.eqb t t'); [now destruct s|easy]. }
  assert (Lt : level_of w t = k) by (unfold level_of; now rewrite P).
  split.
  - apply sum_lt with t; auto.
    + intros t'. rewrite L. destruct (Nat.eqb_spec t t') as [<-|]; lia.
    + rewrite L, Nat.eqb_refl. lia.
  - intros t' j. rewrite requeue_slot, <- ES.
    destruct (Nat.eqb t t'); [|easy]. intros F. injection F as F.
    rewrite F in E. cbn in E. lia.
Qed.

Lemma step_moves s most ts :
  plainly s ts -> plainly (do s (Step most)) ts /\
  (to_go (fst (do s (Step most))) ts + all (count (fst s) none_yet) <=
   to_go (fst s) ts)%nat.
Proof.
  intros [I O A W L].
  pose proof (do_sound s (Step most) I) as I'.
  pose proof (do_order s (Step most) I O) as O'.
  destruct s as [w h]. cbn [fst snd do do_step] in *.
  enough (forall e w', step w most = (e, w') ->
    (forall t p, slot_of w' t = Some p -> In t ts) /\
    (forall t i, slot_of w' t <> Some (levels, i)) /\
    (to_go w' ts + all (count w none_yet) <= to_go w ts)%nat) as H.
  { destruct (step w most) as [e w'].
    destruct (H e w' eq_refl) as (H1 & H2 & H3).
    destruct e as [t|]; (split; [|exact H3]); constructor; auto.
    intros t' x n late. cbn [snd asked]. destruct (Nat.eqb t t'); [easy|].
    apply L. }
  assert (GO : forall t l x k i n, slot_of w t = Some (k, i) ->
    asked h t = Some (x, n, false) ->
    down w (k, i) (fst (place_of (dequeue w t) x l)) x ->
    (forall t' p, slot_of (requeue w t l x) t' = Some p -> In t' ts) /\
    (forall t' j, slot_of (requeue w t l x) t' <> Some (levels, j)) /\
    (to_go (requeue w t l x) ts + 1 <= to_go w ts)%nat).
  { intros t l x k i n P E D.
    assert (K : (k < levels)%nat).
    { destruct (i_ring _ _ I _ _ _ P) as [|[-> _]]; [tauto|].
      now destruct (W t i). }
    destruct (down_one w t l x ts k i _ P K (A _ _ P) D eq_refl) as [D1 D2].
    repeat split; [|intros t' j Q; now apply D2, W in Q|lia].
    intros t' p. rewrite requeue_slot. destruct (Nat.eqb_spec t t') as [<-|].
    - intros _. eapply A, P.
    - apply A. }
  assert (ASK : forall t p, slot_of w t = Some p ->
    exists n, asked h t = Some (expires w p t, n, false)).
  { intros t p P. destruct (i_asked _ _ I _ _ P) as (n & late & E).
    cbn [snd] in E. rewrite (L _ _ _ _ E) in E. eauto. }
  assert (SAME : forall w', slot_of w' = slot_of w ->
    (to_go w' ts + 0 <= to_go w ts)%nat).
  { unfold to_go, level_of. intros w' ->. lia. }
  unfold step, count, none_yet. intros e w'.
  destruct (due w) as [|d] eqn:D.
  - destruct (ahead w) as [|a].
    { intros E. injection E as <- <-. repeat split; auto. }
    destruct (next_ahead w) as [p|] eqn:N; intros E; injection E as <- <-.
    2: { repeat split; auto. }
    pose proof (next_ahead_spec w p N) as [NE _]. unfold is_empty in NE.
    destruct (list_of w p) as [|b m] eqn:LP; [easy|]. rewrite last_cons.
    assert (P : slot_of w (last m b) = Some p).
    { apply (i_list _ _ I). cbn [fst]. rewrite LP. apply last_in. }
    rewrite (expiry_of_expires w (asked h) _ _ I P).
    destruct (ASK _ _ P) as [n E]. destruct p as [k i].
    eapply GO; eauto. now apply (ahead_down w (asked h) (k, i) _ n).
  - destruct (list_of w (reached w d)) as [|first others] eqn:LR.
    { intros E. injection E as <- <-. repeat split; auto. }
    destruct d as [|l].
    + assert (P : slot_of w first = Some (reached w 0)).
      { apply (i_list _ _ I). cbn [fst]. rewrite LR. now left. }
      destruct (Z.eqb_spec (remaining w first) 0) as [Z|Z]; intros E;
        injection E as <- <-.
      * assert (Q : forall t p, slot_of (dequeue w first) t = Some p ->
          slot_of w t = Some p) by (intros t p; apply dequeue_slot).
        repeat split; eauto.
        { intros t i F. apply Q, W in F. easy. }
        cbn. rewrite Nat.add_0_r. apply sum_le. intros t. unfold level_of.
        destruct (slot_of (dequeue w first) t) as [[k i]|] eqn:F; [|lia].
        apply Q in F. now rewrite F.
      * exfalso. pose proof levels_pos as LP. rewrite reached_0 in P.
        destruct (ASK _ _ P) as [m E].
        destruct (o_span _ _ O _ _ _ _ _ P LP E) as [G _].
        cbn [fst ticks] in G.
        destruct (i_rest _ _ I _ _ P) as [G'|G']; cbn [fst] in G'; lia.
    + intros E. injection E as <- <-.
      assert (P : slot_of w (last others first) = Some (reached w (S l))).
      { apply (i_list _ _ I). cbn [fst]. rewrite LR. apply last_in. }
      destruct (ASK _ _ P) as [n E].
      rewrite <- (reached_expires w (asked h) _ _ I D) in E.
      pose proof (cascade_down w (asked h) first l others n I O D LR E) as G.
      destruct (reached w (S l)) as [k i]. eapply GO; eauto.
Qed.

(* The moves of a run. *)
Fixpoint moves_of (n : nat) (like : system -> Z) (target : Z) (s : system) :
    nat :=
  match n with
  | O => 0
  | S n =>
    if at_rest (fst s) target then 0
    else all (count (fst s) none_yet) + moves_of n like target
      (do_step s (Z.min (like s) (target - clk (fst s))))
  end.

Theorem run_moves n like target ts : forall s,
  plainly s ts -> (moves_of n like target s <= (levels - 1) * length ts)%nat.
Proof.
  intros s H. transitivity (to_go (fst s) ts).
  - revert s H. induction n as [|n IH]; intros s H; cbn [moves_of]; [lia|].
    destruct (at_rest (fst s) target); [lia|].
    destruct (step_moves s (Z.min (like s) (target - clk (fst s))) ts H)
      as [H1 H2]. apply IH in H1. cbn [do] in *. lia.
  - unfold to_go, list_sum. generalize ts as l. intros l.
    induction l as [|t l IH]; cbn [map fold_right length]; [lia|].
    enough (level_of (fst s) t <= levels - 1)%nat by nia.
    unfold level_of. destruct (slot_of (fst s) t) as [[k i]|] eqn:P; [|lia].
    destruct (i_ring _ _ (p_sound _ _ H) _ _ _ P) as [|[-> _]]; [lia|].
    now apply (p_week _ _ H) in P.
Qed.

End Bounded.
