(* SPDX-License-Identifier: MIT *)
(* stop.v - the next stop is never too late, so time may move on to it *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model arith invariant.
Import ListNotations.
Open Scope Z_scope.

Section Stop.
Context {R : rings}.

(* The next stop *)

Lemma find_spec w k h n : forall d,
  match find w k h d n with
  | Some e => d <= e /\ forall j, d <= j < e ->
    is_empty w (k, wrap k (h + j)) = true
  | None => forall j, d <= j < d + Z.of_nat n ->
    is_empty w (k, wrap k (h + j)) = true
  end.
Proof.
  induction n as [|n IH]; intros d; cbn [find]; [intros; lia|].
  destruct (is_empty w (k, wrap k (h + d))) eqn:E; [|split; intros; lia].
  specialize (IH (d + 1)). destruct (find w k h (d + 1) n) as [e|].
  - destruct IH as [H1 H2]. split; [lia|]. intros j Hj.
    destruct (Z.eq_dec j d) as [->|]; [easy|]. apply H2. lia.
  - intros j Hj. destruct (Z.eq_dec j d) as [->|]; [easy|]. apply IH. lia.
Qed.

(* How many slots it is to where something is. *)
Lemma visit_distance w k i :
  0 <= i < size k -> clk w < visit (clk w) k i ->
  exists j, 1 <= j <= size k /\ i = wrap k (hand w k + j) /\
    visit (clk w) k i = moved w k + j * ticks k.
Proof.
  intros Hi H. unfold moved, hand. set (c := clk w) in *.
  set (v := visit c k i) in *.
  pose proof (visit_range c k i) as V1. fold v in V1.
  pose proof (visit_divide c k i) as [p V2]. fold v in V2.
  pose proof (visit_slot c k i) as [e V3]. fold v in V3.
  pose proof (ticks_pos k) as TP. pose proof (size_pos k) as SP.
  assert (SN : size k <> 0) by lia.
  pose proof (floor_range k c) as F. unfold floor in *.
  set (q := c / ticks k) in *.
  exists (p - q). assert (1 <= p - q) by nia.
  assert (p - q <= size k) by nia. repeat split; try lia.
  assert (P : p = i + e * size k) by nia.
  unfold wrap. pose proof (Z.mod_pos_bound q (size k) SP) as Q1.
  pose proof (Z.div_mod q (size k) SN) as Q2.
  set (h := q mod size k) in *. set (g := q / size k) in *.
  destruct (Z.ltb_spec (h + (p - q)) (size k)).
  - assert (e = g) by nia. nia.
  - assert (e = g + 1) by nia. nia.
Qed.

Lemma floor_same j k c c' :
  (j <= k)%nat -> c <= c' -> floor j c' = floor j c -> floor k c' = floor k c.
Proof.
  intros H L E. apply Z.le_antisymm; [|now apply floor_mono].
  apply floor_least; [apply floor_divide|].
  pose proof (floor_nest j k c' H). pose proof (floor_range j c). lia.
Qed.

(* The turn of a hand is not over yet. *)
Lemma turn_left w k d :
  hand w k mod slots k + d < slots k ->
  moved w k + d * ticks k < floor (S k) (clk w) + ticks (S k).
Proof.
  unfold hand, moved, floor, size. cbn [ticks]. set (c := clk w).
  pose proof (ticks_pos k). pose proof (slots_pos k) as SP.
  intros H1. rewrite <- Z.div_div by lia. set (q := c / ticks k) in *.
  assert (E : (q mod (turns * slots k)) mod slots k = q mod slots k).
  { destruct turns_range as [->| ->].
    - rewrite Z.mul_1_l. apply Z.mod_mod. lia.
    - rewrite (Z.mul_comm 2), Z.rem_mul_r by lia.
      rewrite Z.mul_comm, Z.mod_add by lia. apply Z.mod_mod. lia. }
  rewrite E in H1. pose proof (Z.div_mod q (slots k)). nia.
Qed.

(* Nothing has to be done before c. *)
Definition quiet_until (w : wheel) (c : Z) : Prop :=
  (forall t k i, slot_of w t = Some (k, i) -> (k < levels)%nat ->
    c <= visit (clk w) k i) /\
  (forall t i, slot_of w t = Some (levels, i) ->
    floor levels c = moved w levels \/
    floor levels c = moved w levels + week /\ floor levels c = c \/
    (levels, i) = far w /\ floor levels (c - 1) + turns * week <= far_due w).

(* Where a week begins, the tick before is in the one before. *)
Lemma floor_pred k c :
  floor k (c - 1) = floor k c \/
  floor k c = c /\ floor k (c - 1) = c - ticks k.
Proof.
  pose proof (floor_range k c). pose proof (ticks_pos k).
  destruct (Z.eq_dec (floor k c) c) as [E|E].
  - right. split; [easy|]. apply floor_unique; [|lia].
    apply Z.divide_sub_r; [rewrite <- E; apply floor_divide|].
    apply Z.divide_refl.
  - left. apply floor_unique; [apply floor_divide|lia].
Qed.

Lemma week_ends w c :
  clk w < c <= moved w levels + week ->
  floor levels c = moved w levels \/
  floor levels c = moved w levels + week /\ floor levels c = c.
Proof.
  intros H. unfold moved in *. pose proof (floor_range levels (clk w)).
  destruct (Z.eq_dec c (floor levels (clk w) + week)) as [->|].
  - right. rewrite floor_id; [easy|].
    apply Z.divide_add_r; [apply floor_divide|apply Z.divide_refl].
  - left. apply floor_unique; [apply floor_divide|]. fold week. lia.
Qed.

Lemma quiet_1 w A : inv w A -> due w = 0%nat -> quiet_until w (clk w + 1).
Proof.
  intros I D. split.
  - intros t k i P K. pose proof (i_done _ _ I _ _ _ P K).
    pose proof (visit_range (clk w) k i). lia.
  - intros t i P. pose proof (floor_range levels (clk w)). fold week in *.
    assert (X : clk w < clk w + 1 <= moved w levels + week)
      by (unfold moved; lia).
    apply week_ends in X. tauto.
Qed.

Lemma is_empty_not w A t s :
  inv w A -> slot_of w t = Some s -> is_empty w s = false.
Proof.
  intros I P. apply (i_list _ _ I) in P. unfold is_empty.
  now destruct (list_of w s).
Qed.

(* How many slots it is to an entry's. *)
Lemma visit_of_entry w A t k i :
  inv w A -> due w = 0%nat -> slot_of w t = Some (k, i) -> (k < levels)%nat ->
  exists j, 1 <= j <= size k /\
    is_empty w (k, wrap k (hand w k + j)) = false /\
    visit (clk w) k i = moved w k + j * ticks k.
Proof.
  intros I D P K. destruct (i_ring _ _ I _ _ _ P) as [[_ Hi]|]; [|lia].
  pose proof (i_done _ _ I _ _ _ P K). pose proof (visit_range (clk w) k i).
  destruct (visit_distance w k i Hi ltac:(lia)) as (j & J1 & J2 & J3).
  exists j. repeat split; try lia. rewrite <- J2.
  now apply (is_empty_not w A t).
Qed.

Lemma early_range j : 0 <= early j <= 1.
Proof. unfold early. destruct (_ && _); lia. Qed.

(* What a search from level k on has found of all that is there. *)
Definition stops (w : wheel) (k : nat) (o : option Z) : Prop :=
  match o with
  | None =>
    (forall t j i, slot_of w t = Some (j, i) -> (k <= j < levels)%nat ->
      False) /\
    forall t, slot_of w t <> Some (far w)
  | Some stop => forall c, clk w < c <= clk w + stop ->
    (forall t j i, slot_of w t = Some (j, i) -> (k <= j < levels)%nat ->
      c + early j <= visit (clk w) j i) /\
    (forall t, slot_of w t = Some (far w) ->
      floor levels c = moved w levels \/
      floor levels c = moved w levels + week /\ floor levels c = c \/
      floor levels (c - 1) + turns * week <= far_due w)
  end.

(* What the search in a ring has found of all that is there. *)
Lemma ring_spec w A k :
  inv w A -> due w = 0%nat -> (k < levels)%nat ->
  match find w k (hand w k) 1 (Z.to_nat (size k)) with
  | None => forall t i, slot_of w t <> Some (k, i)
  | Some d => 1 <= d /\ forall t i, slot_of w t = Some (k, i) ->
    moved w k + d * ticks k <= visit (clk w) k i
  end.
Proof.
  intros I D K.
  pose proof (find_spec w k (hand w k) (Z.to_nat (size k)) 1) as F.
  destruct (find w k (hand w k) 1 (Z.to_nat (size k))) as [d|];
    [destruct F as [F1 F]; split; [easy|]|]; intros t i P;
    destruct (visit_of_entry w A t k i I D P K) as (j & J1 & J2 & J3).
  - pose proof (ticks_pos k). rewrite J3.
    destruct (Z.lt_ge_cases j d) as [L|L]; [|nia].
    rewrite F in J2 by lia. easy.
  - rewrite F in J2 by lia. easy.
Qed.

Lemma stops_above w k o :
  (forall t i, slot_of w t <> Some (k, i)) -> stops w (S k) o -> stops w k o.
Proof.
  intros N H. destruct o as [stop|]; cbn in *;
    [intros c Hc; specialize (H c Hc)|];
    destruct H as [H1 H2]; (split; [|exact H2]); intros t j i P J;
    (destruct (Nat.eq_dec j k) as [->|]; [now apply N in P|]);
    apply (H1 t j i); auto; lia.
Qed.

Lemma stop_from_spec w A n : forall k,
  inv w A -> due w = 0%nat -> (k + n = levels)%nat ->
  stops w k (stop_from w k n).
Proof.
  induction n as [|n IH]; intros k I D Hk; cbn [stop_from].
  - destruct (is_empty w (far w)) eqn:E; cbn.
    + split; [intros; lia|]. intros t P.
      rewrite (is_empty_not _ _ _ _ I P) in E. easy.
    + intros c Hc. split; [intros; lia|]. intros t P.
      unfold ticks_to_week in Hc.
      destruct (Z.le_gt_cases c (moved w levels + week)) as [L|L].
      { assert (X : clk w < c <= moved w levels + week) by lia.
        apply week_ends in X. tauto. }
      right. right. pose proof (floor_range levels (c - 1)).
      destruct (Z.eqb_spec turns 1) as [T|T].
      * rewrite T. rewrite Z.mul_1_l.
        pose proof (floor_range levels (far_due w)).
        enough (floor levels (c - 1) + ticks levels <=
                floor levels (far_due w)) by (unfold week in *; lia).
        apply gap; [apply ticks_pos|apply floor_divide|apply floor_divide|lia].
      * destruct (Z.ltb_spec (turns * week) (far_due w - clk w)); lia.
  - specialize (IH (S k) I D ltac:(lia)).
    pose proof (ring_spec w A k I D ltac:(lia)) as F.
    destruct (find w k (hand w k) 1 (Z.to_nat (size k))) as [d|];
      [|now apply stops_above].
    destruct F as [F1 G]. pose proof (ticks_pos k).
    set (stop := (d - early k) * ticks k - (clk w - moved w k)).
    pose proof (early_range k) as E.
    assert (G1 : clk w + stop + early k <= moved w k + d * ticks k)
      by (subst stop; nia).
    destruct (Z.ltb_spec (hand w k mod slots k + d) (slots k)) as [L|L].
    + apply turn_left in L.
      intros c Hc. split.
      * intros t j i P J. destruct (Nat.eq_dec j k) as [->|].
        -- apply G in P. lia.
        -- assert (K : (j < levels)%nat) by lia.
           pose proof (i_done _ _ I _ _ _ P K).
           pose proof (visit_range (clk w) j i). pose proof (early_range j).
           enough (floor (S k) (clk w) + ticks (S k) <= visit (clk w) j i)
             by lia.
           apply gap; [apply ticks_pos|apply floor_divide| |].
           ++ eapply Z.divide_trans; [|apply visit_divide].
              apply ticks_divide. lia.
           ++ pose proof (floor_range (S k) (clk w)). lia.
      * intros t P. left. apply floor_same with (S k); [lia|lia|].
        apply floor_unique; [apply floor_divide|].
        pose proof (floor_range (S k) (clk w)). lia.
    + unfold nearer. destruct (stop_from w (S k) n) as [stop'|]; cbn in IH |- *.
      * intros c Hc. destruct (IH c ltac:(lia)) as [H1 H2].
        split; [|exact H2]. intros t j i P J.
        destruct (Nat.eq_dec j k) as [->|]; [apply G in P; lia|].
        apply (H1 t); auto. lia.
      * destruct IH as [H1 H2]. intros c Hc. split.
        -- intros t j i P J.
           destruct (Nat.eq_dec j k) as [->|]; [apply G in P; lia|].
           exfalso. apply (H1 t j i); auto. lia.
        -- intros t P. now apply H2 in P.
Qed.

Lemma ahead_from_spec w n : forall k,
  (k + n = levels)%nat ->
  match ahead_from w k n with
  | None => is_empty w (next w) = true
  | Some s => is_empty w s = false /\ (k <= fst s <= levels)%nat
  end.
Proof.
  induction n as [|n IH]; intros k Hk; cbn [ahead_from].
  - destruct (is_empty w (next w)) eqn:E; [easy|]. split; [easy|].
    change (fst (next w)) with levels. lia.
  - destruct (is_empty w (k, wrap k (hand w k + 1))) eqn:E.
    + specialize (IH (S k) ltac:(lia)).
      destruct (ahead_from w (S k) n); [|easy].
      split; [tauto|lia].
    + split; [easy|]. cbn. lia.
Qed.

Lemma next_ahead_spec w s :
  next_ahead w = Some s -> is_empty w s = false /\ (1 <= fst s <= levels)%nat.
Proof.
  unfold next_ahead. destruct (turns =? 1); [easy|]. pose proof levels_pos.
  pose proof (ahead_from_spec w (levels - 1) 1) as HN.
  intros E. rewrite E in HN. apply HN. lia.
Qed.

(* Without spreading: how far a step of the lowest level goes. *)
Lemma ring_end w k :
  turns = 1 ->
  moved w k + (slots k - hand w k) * ticks k =
  floor (S k) (clk w) + ticks (S k).
Proof.
  intros T. unfold hand, moved, floor, size. rewrite T, Z.mul_1_l. cbn [ticks].
  pose proof (ticks_pos k). pose proof (slots_pos k).
  rewrite <- Z.div_div by lia. set (q := clk w / ticks k).
  rewrite Z.mod_eq by lia. ring.
Qed.

Lemma step_from_spec w A n : forall k,
  turns = 1 -> inv w A -> due w = 0%nat -> (k + n = levels)%nat ->
  stops w k (step_from w k n).
Proof.
  induction n as [|n IH]; intros k T I D Hk.
  { apply (stop_from_spec w A 0 k I D Hk). }
  specialize (IH (S k) T I D ltac:(lia)). cbn [step_from].
  pose proof (ring_spec w A k I D ltac:(lia)) as F.
  destruct (find w k (hand w k) 1 (Z.to_nat (size k))) as [d|];
    [|now apply stops_above].
  destruct F as [F1 G]. cbn [stops]. pose proof (ticks_pos k).
  set (step := Z.min d (slots k - hand w k) * ticks k - (clk w - moved w k)).
  pose proof (ring_end w k T) as R1.
  assert (E1 : clk w + step <= moved w k + d * ticks k) by (subst step; nia).
  assert (E2 : clk w + step <= floor (S k) (clk w) + ticks (S k))
    by (rewrite <- R1; subst step; nia).
  pose proof (floor_range (S k) (clk w)) as R2.
  assert (E0 : forall j, early j = 0) by (intros j; unfold early; now rewrite T).
  intros c Hc. split.
  - intros t j i P J. rewrite E0. destruct (Nat.eq_dec j k) as [->|].
    + apply G in P. lia.
    + assert (K : (j < levels)%nat) by lia.
      pose proof (i_done _ _ I _ _ _ P K).
      pose proof (visit_range (clk w) j i).
      enough (floor (S k) (clk w) + ticks (S k) <= visit (clk w) j i) by lia.
      apply gap; [apply ticks_pos|apply floor_divide| |lia].
      eapply Z.divide_trans; [|apply visit_divide]. apply ticks_divide. lia.
  - intros t P. assert (X : clk w < c <= moved w levels + week).
    { split; [lia|].
      enough (floor (S k) (clk w) + ticks (S k) <= moved w levels + week)
        by lia.
      pose proof (floor_range levels (clk w)). unfold moved, week.
      apply gap; [apply ticks_pos|apply floor_divide| |lia].
      apply Z.divide_trans with (ticks levels); [apply ticks_divide; lia|].
      apply Z.divide_add_r; [apply floor_divide|apply Z.divide_refl]. }
    apply week_ends in X. tauto.
Qed.

(* What such a search has found is so for all that waits. *)
Lemma stops_quiet w A c o :
  inv w A -> due w = 0%nat -> clk w < c -> next_ahead w = None ->
  stops w 0 o ->
  match o with
  | Some stop => c <= clk w + stop
  | None => True
  end -> quiet_until w c.
Proof.
  intros I D H1 E F H2.
  assert (FAR : forall t i, slot_of w t = Some (levels, i) ->
                slot_of w t = Some (far w)).
  { intros t i P. destruct (role_pos w A t i I) as [Q RR]; [lia|easy|].
    rewrite P. rewrite (list_role w i Q) in *. f_equal. unfold far. f_equal.
    destruct (Z.eq_dec (role w i) turns) as [|Z]; [easy|]. exfalso.
    assert (T : turns = 2) by (destruct turns_range; lia).
    assert (role w i = 1) as O by lia. rewrite O in P. fold (next w) in P.
    apply (is_empty_not _ _ _ _ I) in P. unfold next_ahead in E.
    rewrite T in E. cbn [Z.eqb Pos.eqb] in E.
    pose proof levels_pos.
    pose proof (ahead_from_spec w (levels - 1) 1) as G.
    rewrite E in G. rewrite G in P by lia. easy. }
  destruct o as [stop|]; cbn in F.
  - destruct (F c ltac:(lia)) as [F1 F2]. split.
    + intros t k i P K. pose proof (early_range k).
      pose proof (F1 t k i P ltac:(lia)). lia.
    + intros t i P. pose proof (FAR _ _ P) as Q. pose proof (F2 _ Q).
      assert ((levels, i) = far w) by congruence. tauto.
  - destruct F as [F1 F2]. split.
    + intros t k i P K. exfalso. apply (F1 t k i); auto. lia.
    + intros t i P. apply FAR in P. now apply F2 in P.
Qed.

(* W7, for a stop at which a hand has something to do. *)
Lemma stop_quiet w A c :
  inv w A -> due w = 0%nat -> clk w < c ->
  match ticks_to_stop w with
  | Some stop => c <= clk w + Z.max 1 stop
  | None => True
  end -> quiet_until w c.
Proof.
  intros I D H1 H2. destruct (Z.eq_dec c (clk w + 1)) as [->|N].
  { eapply quiet_1; eauto. }
  unfold ticks_to_stop in H2. destruct (next_ahead w) as [s|] eqn:E; [lia|].
  apply (stops_quiet w A c (stop_from w 0 levels)); auto.
  - now apply stop_from_spec with A.
  - destruct (stop_from w 0 levels); lia.
Qed.

(* And for a step. *)
Lemma step_quiet w A c :
  inv w A -> due w = 0%nat -> clk w < c ->
  match ticks_to_step w with
  | Some step => c <= clk w + Z.max 1 step
  | None => True
  end -> quiet_until w c.
Proof.
  intros I D H1 H2. unfold ticks_to_step in H2.
  destruct (Z.eqb_spec turns 1) as [T|T]; [|now apply stop_quiet with A].
  destruct (Z.eq_dec c (clk w + 1)) as [->|N]; [eapply quiet_1; eauto|].
  apply (stops_quiet w A c (step_from w 0 levels)); auto.
  - unfold next_ahead. now rewrite T.
  - now apply step_from_spec with A.
  - destruct (step_from w 0 levels); lia.
Qed.

End Stop.
