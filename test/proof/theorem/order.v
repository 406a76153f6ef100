(* SPDX-License-Identifier: MIT *)
(* order.v - timers of one expiry run in the order of arming: W5, W9 *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model arith invariant stop exact.
Import ListNotations.
Open Scope Z_scope.

(* Lists *)

Fixpoint before (a b : id) (l : list id) : Prop :=
  match l with
  | [] => False
  | c :: l => c = a /\ In b l \/ before a b l
  end.

Lemma before_in a b l : before a b l -> In a l /\ In b l.
Proof. induction l as [|c l IH]; cbn; [easy|]. intuition. Qed.

Lemma before_append a b t l :
  before a b l \/ b = t /\ In a l -> before a b (l ++ [t]).
Proof.
  induction l as [|c l IH]; cbn; [tauto|].
  rewrite in_app_iff. cbn. intuition; subst; auto.
Qed.

Lemma before_remove a b t l :
  before a b l -> t <> a -> t <> b -> before a b (remove Nat.eq_dec t l).
Proof.
  intros H A B. induction l as [|c l IH]; cbn in *; [easy|].
  destruct (Nat.eq_dec t c) as [<-|]; cbn.
  - destruct H as [[]|]; [congruence|auto].
  - destruct H as [[]|]; auto using in_in_remove.
Qed.

Lemma before_first a b l : NoDup (b :: l) -> ~ before a b (b :: l).
Proof.
  intros N H. inversion N; subst. cbn in H.
  destruct H as [[]|H]; [easy|]. now apply before_in in H.
Qed.

Lemma before_last b l : forall a,
  NoDup (a :: l) -> ~ before (last l a) b (a :: l).
Proof.
  induction l as [|c l IH]; intros a N H.
  - cbn in H. tauto.
  - rewrite last_cons in H. inversion N as [|? ? N1 N2]; subst.
    destruct H as [[-> H]|H].
    + apply N1. apply last_in.
    + now apply (IH c N2).
Qed.

Section Order.
Context {R : rings}.

(* The further up, the earlier armed. *)
Definition rank (w : wheel) (s : slot) : Z :=
  if (fst s <? levels)%nat then Z.of_nat (fst s)
  else Z.of_nat levels + turns - role w (snd s).

Definition earlier (w : wheel) (t1 t2 : id) : Prop :=
  exists s1 s2, slot_of w t1 = Some s1 /\ slot_of w t2 = Some s2 /\
  (rank w s2 < rank w s1 \/ s1 = s2 /\ before t1 t2 (list_of w s1)).

Record ordered (w : wheel) (A : book) : Prop := {
  (* W9 *)
  o_span : forall t k i x n, slot_of w t = Some (k, i) -> (k < levels)%nat ->
    A t = Some (x, n, false) ->
    remaining w t < ticks k /\ spans (clk w) k x = true;
  (* W5 *)
  o_order : forall t1 t2 x n1 n2,
    A t1 = Some (x, n1, false) -> A t2 = Some (x, n2, false) ->
    (n1 < n2)%nat -> earlier w t1 t2
}.

(* Where what was not postponed waits is told by when it expires. *)
Lemma slot_unique w A t k i x n :
  inv w A -> ordered w A -> slot_of w t = Some (k, i) -> (k < levels)%nat ->
  A t = Some (x, n, false) -> i = (x / ticks k) mod size k.
Proof.
  intros I O P K E. destruct (o_span _ _ O _ _ _ _ _ P K E) as [H1 _].
  destruct (i_asked _ _ I _ _ P) as (n' & l & E'). rewrite E' in E.
  injection E as X _ _. unfold expires in X. cbn [fst snd] in X.
  pose proof K as K'. apply Nat.ltb_lt in K'. rewrite K' in X.
  destruct (i_rest _ _ I _ _ P) as [H2|H2]; cbn [fst] in H2; [|lia].
  destruct (i_ring _ _ I _ _ _ P) as [[_ Hi]|]; [|lia].
  pose proof (visit_divide (clk w) k i) as D.
  assert (F : floor k x = visit (clk w) k i)
    by (apply floor_unique; [easy|lia]).
  pose proof (visit_slot (clk w) k i) as [q Q]. rewrite <- F in Q.
  unfold floor in Q. pose proof (ticks_pos k). pose proof (size_pos k).
  apply Z.mod_unique with q; [lia|]. nia.
Qed.

Lemma dequeue_ordered w A A' t :
  ordered w A -> A' t = None -> (forall t', t <> t' -> A' t' = A t') ->
  ordered (dequeue w t) A'.
Proof.
  intros O E N. unfold dequeue. destruct (slot_of w t) as [s|] eqn:P.
  2: { assert (X : forall t' v, A' t' = Some v -> A t' = Some v).
       { intros t' v H. destruct (Nat.eq_dec t t') as [<-|]; [congruence|].
         now rewrite <- N. }
       destruct O. constructor; eauto. }
  assert (X : forall t' v, A' t' = Some v -> t <> t' /\ A t' = Some v).
  { intros t' v H. destruct (Nat.eq_dec t t') as [<-|]; [congruence|].
    rewrite <- N; auto. }
  constructor; cbn [clk remaining slot_of].
  - intros t' k i x n H K F. apply X in F as [D F].
    rewrite set_id_other in H by auto. eapply o_span; eauto.
  - intros t1 t2 x n1 n2 E1 E2 L. apply X in E1 as [D1 E1].
    apply X in E2 as [D2 E2].
    destruct (o_order _ _ O _ _ _ _ _ E1 E2 L) as (s1 & s2 & P1 & P2 & H).
    exists s1, s2. cbn [slot_of list_of]. rewrite !set_id_other by auto.
    repeat split; auto. destruct H as [H|[-> H]]; [now left|right].
    split; [easy|]. destruct (slot_dec s s2) as [->|F].
    + rewrite set_slot_same. now apply before_remove.
    + now rewrite set_slot_other.
Qed.

(* The slot to which a timer goes is right, among those of its expiry. *)
Definition fits (w : wheel) (A : book) (s : slot) (x : Z) (n : nat)
    (f : bool) : Prop :=
  forall t2 s2 n2, slot_of w t2 = Some s2 -> A t2 = Some (x, n2, false) ->
  ((n2 < n)%nat -> rank w s < rank w s2 \/ s2 = s /\ f = false) /\
  ((n < n2)%nat -> rank w s2 < rank w s \/ s2 = s /\ f = true).

Lemma place_ordered w A A' t x l f n late :
  inv w A -> ordered w A -> slot_of w t = None ->
  clk w <= x -> (l <= levels)%nat ->
  A' t = Some (x, n, late) -> (forall t', t <> t' -> A' t' = A t') ->
  (late = false -> fits w A (fst (place_of w x l)) x n f) ->
  ordered (place w t x l f) A'.
Proof.
  intros I O P Hx Hl E N F. pose proof (place_of_spec w x l Hx Hl) as H.
  unfold place. destruct (place_of w x l) as [s r]. cbn [fst] in F.
  assert (X : forall t' s' v, slot_of w t' = Some s' -> A' t' = v ->
              t <> t' /\ A t' = v).
  { intros t' s' v H1 H2. destruct (Nat.eq_dec t t') as [<-|]; [congruence|].
    rewrite <- N; auto. }
  constructor; cbn [clk remaining slot_of].
  - intros t' k i x' n' H1 K H2. destruct (Nat.eq_dec t t') as [<-|D].
    + rewrite set_id_same in H1. rewrite set_id_same. injection H1 as ->.
      cbn [fst snd] in H.
      rewrite E in H2. injection H2 as <- _ _.
      destruct H as (_ & _ & [(_ & _ & -> & S)|[H _]]).
      * pose proof (floor_range k x). split; [lia|easy].
      * destruct (later_list w l) as [G _]. rewrite G in H.
        injection H as -> _. lia.
    + rewrite set_id_other in H1 by auto. rewrite set_id_other by auto.
      rewrite N in H2 by auto.
      eapply o_span; eauto.
  - intros t1 t2 x' n1 n2 E1 E2 L.
    assert (NI : forall t' v, t <> t' -> A' t' = Some v ->
                 exists s', slot_of w t' = Some s').
    { intros t' v D H1. rewrite N in H1 by auto.
      destruct (slot_of w t') as [s'|] eqn:P'; [eauto|].
      apply (i_idle _ _ I) in P'. congruence. }
    assert (IN : forall t' s', slot_of w t' = Some s' -> In t' (list_of w s'))
      by (intros; now apply (i_list _ _ I)).
    destruct (Nat.eq_dec t t1) as [<-|D1], (Nat.eq_dec t t2) as [<-|D2].
    + rewrite E1 in E2. injection E2 as <-. lia.
    + rewrite E1 in E. injection E as <- <- <-.
      destruct (NI _ _ D2 E2) as [s2 P2]. rewrite N in E2 by auto.
      destruct (F eq_refl _ _ _ P2 E2) as [_ G]. specialize (G L).
      exists s, s2. cbn [slot_of list_of].
      rewrite set_id_same, set_id_other by auto. repeat split; auto.
      destruct G as [G|[-> ->]]; [now left|right]. split; [easy|].
      rewrite set_slot_same. left. auto.
    + rewrite E2 in E. injection E as <- <- <-.
      destruct (NI _ _ D1 E1) as [s1 P1]. rewrite N in E1 by auto.
      destruct (F eq_refl _ _ _ P1 E1) as [G _]. specialize (G L).
      exists s1, s. cbn [slot_of list_of].
      rewrite set_id_same, set_id_other by auto. repeat split; auto.
      destruct G as [G|[-> ->]]; [now left|right]. split; [easy|].
      rewrite set_slot_same. apply before_append. right. auto.
    + rewrite N in E1, E2 by auto.
      destruct (o_order _ _ O _ _ _ _ _ E1 E2 L) as (s1 & s2 & P1 & P2 & G).
      exists s1, s2. cbn [slot_of list_of]. rewrite !set_id_other by auto.
      repeat split; auto. destruct G as [G|[-> G]]; [now left|right].
      split; [easy|]. destruct (slot_dec s s2) as [->|Q].
      * rewrite set_slot_same. destruct f; [now right|].
        apply before_append. now left.
      * now rewrite set_slot_other.
Qed.

Lemma rank_week w A t i :
  inv w A -> slot_of w t = Some (levels, i) ->
  rank w (levels, i) = Z.of_nat levels + turns - role w i /\
  0 <= role w i <= turns.
Proof.
  intros I P. unfold rank. cbn [fst snd]. rewrite Nat.ltb_irrefl.
  pose proof (role_range w i). lia.
Qed.

Lemma rank_list w n :
  0 <= n <= turns -> rank w (far_list w n) = Z.of_nat levels + turns - n.
Proof.
  intros H. unfold rank. change (fst (far_list w n)) with levels.
  rewrite Nat.ltb_irrefl, role_list; lia.
Qed.

Lemma rank_level w k i : (k < levels)%nat -> rank w (k, i) = Z.of_nat k.
Proof.
  intros K. unfold rank. cbn [fst]. apply Nat.ltb_lt in K. now rewrite K.
Qed.

(* A new one is on the lowest level of all of its expiry, and last. *)
Lemma add_fits w A x n :
  inv w A -> ordered w A -> clk w <= x ->
  (forall t' x' n' l', A t' = Some (x', n', l') -> (n' < n)%nat) ->
  fits w A (fst (place_of w x 0)) x n false.
Proof.
  intros I O Hx NEW t2 s2 n2 P2 E2. pose proof (NEW _ _ _ _ E2) as NW.
  split; [intros _|lia].
  pose proof (place_of_spec w x 0 Hx ltac:(lia)) as H.
  destruct (place_of w x 0) as [[k i] r]. cbn [fst snd] in *.
  destruct H as (Hk & Hn & H). destruct s2 as [m j].
  destruct (i_ring _ _ I _ _ _ P2) as [[M Hj]|[-> Hj]].
  - destruct (o_span _ _ O _ _ _ _ _ P2 M E2) as [_ S].
    assert (k <= m)%nat.
    { destruct (Nat.le_gt_cases k m) as [|G]; [easy|].
      rewrite Hn in S by lia. easy. }
    rewrite (rank_level w m) by easy.
    destruct H as [(K & -> & _)|[H _]].
    + rewrite rank_level by easy. destruct (Nat.eq_dec m k) as [->|]; [|lia].
      right. split; [|easy]. f_equal. eapply slot_unique; eauto.
    + destruct (later_list w 0) as [G _]. rewrite G in H.
      injection H as -> _. lia.
  - destruct (rank_week _ _ _ _ I P2) as [-> RR].
    destruct H as [(K & _)|[H _]]; [rewrite rank_level by easy; left; lia|].
    pose proof turns_range as TR. rewrite (list_role w j Hj) in P2 |- *.
    rewrite H. pose proof levels_pos.
    destruct (later_far w 0) as [[-> _]|[_ Q]]; [|lia].
    unfold far. rewrite rank_list by lia.
    destruct (Z.eq_dec (role w j) turns) as [->|]; [auto|lia].
Qed.

(* What goes on from a slot keeps its place among those of its expiry. *)
Lemma requeue_ordered w A t s l x :
  inv w A -> ordered w A -> slot_of w t = Some s -> x = expires w s t ->
  (l <= levels)%nat ->
  (forall n, A t = Some (x, n, false) ->
     fits (dequeue w t) (set_id A t None)
       (fst (place_of (dequeue w t) x l)) x n true) ->
  ordered (requeue w t l x) A.
Proof.
  intros I O P -> Hl F. destruct (i_asked _ _ I _ _ P) as (n & late & E).
  destruct (dequeue_clk w t) as (C & D & N).
  enough (Q : ordered (place (dequeue w t) t (expires w s t) l true) A)
    by (destruct Q; now constructor).
  apply place_ordered with (A := set_id A t None) (n := n) (late := late);
    rewrite ?C; auto.
  - now apply dequeue_forgets.
  - apply dequeue_ordered with (A := A); [easy|apply set_id_same|].
    intros. now apply set_id_other.
  - now apply (expires_later w A).
  - intros. symmetry. now apply set_id_other.
  - intros ->. now apply F.
Qed.

(* What is left when the last one of a list is taken. *)
Lemma last_fits w A t s0 s x n :
  inv w A -> ordered w A ->
  slot_of w t = Some s0 ->
  (exists a l, list_of w s0 = a :: l /\ t = last l a) ->
  A t = Some (x, n, false) -> rank w s < rank w s0 ->
  (forall t2 s2 n2, slot_of w t2 = Some s2 -> A t2 = Some (x, n2, false) ->
     rank w s2 < rank w s0 -> rank w s2 < rank w s \/ s2 = s) ->
  fits (dequeue w t) (set_id A t None) s x n true.
Proof.
  intros I O P (a & l & L & T) E RK G t2 s2 n2 P2 E2.
  assert (D : t <> t2).
  { intros <-. rewrite set_id_same in E2. easy. }
  rewrite set_id_other in E2 by auto.
  assert (RD : forall v, rank (dequeue w t) v = rank w v).
  { intros v. unfold dequeue. now destruct (slot_of w t). }
  rewrite !RD.
  assert (P3 : slot_of w t2 = Some s2).
  { unfold dequeue in P2. rewrite P in P2. cbn [slot_of] in P2.
    now rewrite set_id_other in P2. }
  split; intros L2.
  - left. destruct (o_order _ _ O _ _ _ _ _ E2 E L2) as (v2 & v & Q2 & Q & H).
    replace v2 with s2 in * by congruence. replace v with s0 in * by congruence.
    destruct H as [H|[-> _]]; lia.
  - destruct (o_order _ _ O _ _ _ _ _ E E2 L2) as (v & v2 & Q & Q2 & H).
    replace v2 with s2 in * by congruence. replace v with s0 in * by congruence.
    destruct H as [H|[_ H]].
    + destruct (G _ _ _ P3 E2 H) as [X|X]; auto.
    + exfalso. pose proof (i_once _ _ I s0) as ND. rewrite L in *.
      rewrite T in H. now apply before_last in H.
Qed.

(*
 * Where what a slot has may go: one level down, with what is due in that week;
 * or on to the list that is nearest, where all of its expiry was armed later.
 *)
Definition down (w : wheel) (s0 s : slot) (x : Z) : Prop :=
  (exists l, s = (l, (x / ticks l) mod size l) /\ (l < levels)%nat /\
     (fst s0 = S l /\ (S l < levels)%nat \/
      fst s0 = levels /\ S l = levels /\
      x < floor levels (clk w) + (role w (snd s0) + 1) * week)) \/
  fst s0 = levels /\ role w (snd s0) < turns /\
    s = far_list w (role w (snd s0) + 1).

Lemma down_fits w A t s0 s x n :
  inv w A -> ordered w A -> slot_of w t = Some s0 ->
  (exists a l, list_of w s0 = a :: l /\ t = last l a) ->
  A t = Some (x, n, false) -> down w s0 s x ->
  fits (dequeue w t) (set_id A t None) s x n true.
Proof.
  intros I O P L E D. pose proof (ticks_pos levels) as WP. fold week in WP.
  destruct s0 as [m0 i0]. unfold down in D. cbn [fst snd] in *.
  pose proof (role_range w i0) as RR.
  apply last_fits with (s0 := (m0, i0)); auto.
  - destruct D as [(l & -> & K & [(-> & M)|(-> & Y & _)])|(-> & R1 & ->)].
    + rewrite !rank_level by easy. lia.
    + rewrite rank_level by lia. destruct (rank_week _ _ _ _ I P). lia.
    + rewrite rank_list by lia. destruct (rank_week _ _ _ _ I P). lia.
  - intros t2 [m j] n2 P2 E2 RK.
    assert (SAME : forall l, s = (l, (x / ticks l) mod size l) ->
      (l < levels)%nat -> (m <= l)%nat -> rank w (m, j) < rank w s \/
      (m, j) = s).
    { intros l -> K M. rewrite !rank_level by lia.
      destruct (Nat.eq_dec m l) as [->|]; [right|lia]. f_equal.
      eapply slot_unique; eauto. }
    destruct (i_ring _ _ I _ _ _ P2) as [[M Hj]|[-> Hj]].
    + destruct D as [(l & S1 & K & [(-> & K')|(-> & K' & _)])|(-> & R1 & ->)].
      * apply (SAME l); auto. rewrite !rank_level in RK by easy. lia.
      * apply (SAME l); auto. lia.
      * rewrite rank_list, rank_level by (auto; lia). lia.
    + destruct (rank_week _ _ _ _ I P2) as [R2 RJ].
      destruct D as [(l & S1 & K & [(-> & K')|(-> & K' & X)])|(-> & R1 & ->)].
      * rewrite R2, (rank_level w (S l)) in RK by easy. lia.
      * exfalso. destruct (rank_week _ _ _ _ I P) as [R0 _].
        pose proof (i_weeks _ _ I _ _ P2) as W.
        destruct (i_asked _ _ I _ _ P2) as (n' & l' & E').
        rewrite E' in E2. injection E2 as X2 _ _. unfold expires in X2.
        cbn [fst] in X2. rewrite Nat.ltb_irrefl in X2. nia.
      * destruct (rank_week _ _ _ _ I P) as [R0 _]. rewrite rank_list by lia.
        destruct (Z.eq_dec (role w j) (role w i0 + 1)) as [F|]; [right|lia].
        rewrite <- F. now apply list_role.
Qed.

Lemma spans_place w x l s r :
  clk w <= x -> (l < levels)%nat -> place_of w x l = (s, r) ->
  spans (clk w) l x = true -> s = (l, (x / ticks l) mod size l).
Proof.
  intros Hx K E SP. pose proof (place_of_spec w x l Hx ltac:(lia)) as H.
  rewrite E in H. destruct s as [k i]. cbn [fst snd] in H.
  destruct H as (Hk & Hn & H).
  assert (k = l) as ->.
  { destruct (Nat.eq_dec k l) as [|Q]; [easy|]. rewrite Hn in SP by lia.
    easy. }
  destruct H as [(_ & -> & _)|[H _]]; [easy|].
  destruct (later_list w l) as [G _]. rewrite G in H. injection H as H _. lia.
Qed.

Lemma cascade_down w A a l o n :
  inv w A -> ordered w A -> due w = S (S l) ->
  list_of w (reached w (S l)) = a :: o ->
  let t := last o a in
  let x := remaining w t + if Nat.eqb (S l) levels then 0 else clk w in
  A t = Some (x, n, false) ->
  down w (reached w (S l))
    (fst (place_of (dequeue w t) x (level_below w t l))) x.
Proof.
  intros I O D L t.
  assert (P : slot_of w t = Some (reached w (S l))).
  { apply (i_list _ _ I). rewrite L. apply last_in. }
  pose proof (i_due _ _ I) as [D1 D2]. pose proof turns_range as TR.
  assert (LB : (l < levels)%nat) by lia.
  assert (F1 : floor (S l) (clk w) = clk w) by (apply D2; lia).
  pose proof (reached_expires w A t l I D) as X.
  pose proof (expires_later _ _ _ _ I P) as [LT _].
  rewrite <- X in LT. set (x := remaining w t + _) in *. cbv zeta. intros E.
  assert (BL : (level_below w t l <= levels)%nat)
    by (destruct (level_below_spec w t l) as [[-> _]|[-> _]]; lia).
  destruct (dequeue_clk w t) as (C & _ & _).
  rewrite <- C in LT.
  pose proof (place_of_spec (dequeue w t) x (level_below w t l) LT BL) as H.
  destruct (place_of (dequeue w t) x (level_below w t l)) as [[k i] r] eqn:PL.
  rewrite C in *. cbn [fst snd] in *. destruct H as (Hk & Hn & H).
  unfold reached in *. destruct (Nat.eqb_spec (S l) levels) as [W|W].
  - assert (R0 : role w (snd (taken w)) = 0) by (apply role_list; lia).
    unfold down. rewrite R0. change (fst (taken w)) with levels.
    destruct (level_below_spec w t l) as [[B G]|(B & T & _ & G)];
      rewrite B in *.
    + destruct H as [(K & -> & _ & SP)|[H _]].
      * left. assert (k = l) as -> by lia. exists l. repeat split; auto.
        right. repeat split; auto. unfold spans in SP. rewrite W in SP, F1.
        rewrite F1. fold week in SP. destruct (Z.eqb_spec turns 1).
        -- apply Z.ltb_lt in SP. lia.
        -- unfold moved in G. rewrite F1 in G. lia.
      * assert (K : k = levels).
        { destruct (later_list (dequeue w t) l) as [Q _]. rewrite Q in H.
          now injection H as -> _. }
        right. repeat split; try lia.
        assert (T : turns = 1).
        { destruct TR as [|T]; [easy|].
          assert (SP : spans (clk w) l x = false) by (apply Hn; lia).
          apply spans_not_turns in SP. rewrite W in SP. fold week in SP.
          pose proof (ticks_pos levels). fold week in *.
          specialize (G T W). unfold moved in G. lia. }
        rewrite H. destruct (dequeue_far w t) as [Q1 Q2].
        destruct (later_far (dequeue w t) l) as [[-> _]|[-> _]].
        -- rewrite Q1. unfold far. now rewrite T.
        -- now rewrite Q2.
    + destruct H as [(K & _)|[-> _]]; [lia|]. right.
      repeat split; try lia.
      destruct (later_far (dequeue w t) levels) as [[_ Q]|[-> _]]; [easy|].
      now destruct (dequeue_far w t) as [_ ->].
  - destruct (level_below_spec w t l) as [[B G]|(_ & _ & G & _)]; [|easy].
    rewrite B in *. left. exists l. repeat split; auto.
    2: { left. split; [easy|lia]. }
    rewrite <- C in LT, F1.
    apply (spans_place (dequeue w t) x l (k, i) r); auto.
    destruct (o_span _ _ O _ _ _ _ _ P ltac:(lia) E) as [Q _].
    apply spans_within; [|auto]. rewrite F1, C. nia.
Qed.

Lemma cascade_ordered w A a l o :
  inv w A -> ordered w A -> due w = S (S l) ->
  list_of w (reached w (S l)) = a :: o ->
  let t := last o a in
  ordered (requeue w t (level_below w t l)
    (remaining w t + if Nat.eqb (S l) levels then 0 else clk w)) A.
Proof.
  intros I O D L t. pose proof (i_due _ _ I) as [D1 _].
  assert (P : slot_of w t = Some (reached w (S l))).
  { apply (i_list _ _ I). rewrite L. apply last_in. }
  apply requeue_ordered with (s := reached w (S l)); auto.
  - now apply reached_expires with A.
  - destruct (level_below_spec w t l) as [[-> _]|[-> _]]; lia.
  - intros n E. apply down_fits with (s0 := reached w (S l)); eauto.
    now apply cascade_down with A n.
Qed.

(* What is moved ahead, and where to. *)
Lemma next_ahead_slot w s :
  next_ahead w = Some s ->
  turns = 2 /\ (s = next w \/ exists k, (1 <= k < levels)%nat /\
    s = (k, wrap k (hand w k + 1))).
Proof.
  unfold next_ahead. intros H. pose proof turns_range as TR.
  destruct (Z.eqb_spec turns 1) as [|T]; [easy|]. split; [lia|].
  pose proof levels_pos as LP.
  assert (G : forall n k, (1 <= k)%nat -> (k + n = levels)%nat ->
    ahead_from w k n = Some s -> s = next w \/ exists k,
    (1 <= k < levels)%nat /\ s = (k, wrap k (hand w k + 1))).
  { induction n as [|n IH]; intros k K E; cbn [ahead_from].
    - destruct (is_empty w (next w)); [easy|]. intros F. left. congruence.
    - destruct (is_empty w _); [apply IH; lia|]. intros F. right. exists k.
      split; [lia|congruence]. }
  apply G in H; auto; lia.
Qed.

Lemma visit_next w k :
  turns = 2 -> visit (clk w) k (wrap k (hand w k + 1)) =
  floor k (clk w) + ticks k.
Proof.
  intros T. pose proof (ticks_pos k). pose proof (floor_range k (clk w)).
  pose proof (slots_pos k). assert (2 <= size k) by (unfold size; nia).
  apply visit_unique; [|nia]. unfold hand, wrap, floor.
  set (q := clk w / ticks k). pose proof (Z.div_mod q (size k)) as Q.
  set (h := q mod size k) in *. set (p := q / size k) in *.
  destruct (Z.ltb_spec (h + 1) (size k)).
  - exists p. nia.
  - exists (p + 1). nia.
Qed.

Lemma ahead_down w A s t n :
  inv w A -> ordered w A -> due w = 0%nat -> next_ahead w = Some s ->
  slot_of w t = Some s -> let x := expires w s t in
  A t = Some (x, n, false) ->
  down w s (fst (place_of (dequeue w t) x (pred (fst s)))) x.
Proof.
  intros I O D N P. pose proof (next_ahead_spec w s N) as [_ K].
  apply next_ahead_slot in N as [T N]. set (x := expires w s t).
  cbv zeta. intros E.
  pose proof (expires_later _ _ _ _ I P) as [LT _]. fold x in LT.
  destruct (dequeue_clk w t) as (C & DU & _). rewrite <- C in LT.
  destruct (place_of (dequeue w t) x (pred (fst s))) as [[k i] r] eqn:PL.
  destruct N as [->|(j & J & ->)].
  - change (fst (next w)) with levels in *.
    pose proof (place_of_spec (dequeue w t) x (pred levels) LT ltac:(lia)) as H.
    rewrite PL, C in H. cbn [fst snd] in *. destruct H as (Hk & Hn & H).
    assert (R1 : role w (snd (next w)) = 1) by (apply role_list; lia).
    unfold down. rewrite R1. change (fst (next w)) with levels.
    destruct H as [(M & -> & _ & SP)|[-> _]].
    + left. assert (k = pred levels) as -> by lia. exists (pred levels).
      repeat split; auto. right. repeat split; [lia|]. unfold spans in SP.
      rewrite T in SP. cbn [Z.eqb Pos.eqb] in SP.
      replace (S (pred levels)) with levels in SP by lia. fold week in SP.
      apply Z.ltb_lt in SP. lia.
    + right. repeat split; [lia|].
      destruct (later_far (dequeue w t) (pred levels)) as [[-> _]|[_ F]];
        [|lia].
      destruct (dequeue_far w t) as [-> _]. unfold far. now rewrite T.
  - cbn [fst] in *. left. exists (pred j).
    repeat split; [|lia|left; cbn [fst]; lia].
    apply (spans_place (dequeue w t) x (pred j) (k, i) r); auto; try lia.
    rewrite C. destruct (o_span _ _ O _ _ _ _ _ P ltac:(lia) E) as [Q _].
    unfold spans. rewrite T. cbn [Z.eqb Pos.eqb].
    replace (S (pred j)) with j by lia. apply Z.ltb_lt.
    subst x. unfold expires. cbn [fst snd].
    destruct (Nat.ltb_spec j levels); [|lia].
    rewrite visit_next by easy. lia.
Qed.

Lemma ahead_ordered w A s :
  inv w A -> ordered w A -> due w = 0%nat -> next_ahead w = Some s ->
  let t := last (list_of w s) 0%nat in
  ordered (requeue w t (pred (fst s)) (expiry_of w t)) A.
Proof.
  intros I O D N t. pose proof (next_ahead_spec w s N) as [NE K].
  unfold is_empty in NE. destruct (list_of w s) as [|a m] eqn:L; [easy|].
  subst t. rewrite last_cons.
  assert (P : slot_of w (last m a) = Some s).
  { apply (i_list _ _ I). rewrite L. apply last_in. }
  rewrite (expiry_of_expires _ _ _ _ I P).
  apply requeue_ordered with (s := s); auto; [lia|].
  intros n E. apply down_fits with (s0 := s); eauto.
  now apply ahead_down with A n.
Qed.

Lemma advance_ordered w A most :
  inv w A -> ordered w A -> due w = 0%nat -> ordered (advance w most) A.
Proof.
  intros I O D. constructor.
  - intros t k i x n P K E.
    destruct (o_span _ _ O _ _ _ _ _ P K E) as [H1 H2]. split; [exact H1|].
    apply spans_later with (clk w); [|easy].
    cbn. destruct (ticks_to_step w); lia.
  - intros t1 t2 x n1 n2 E1 E2 L.
    destruct (o_order _ _ O _ _ _ _ _ E1 E2 L) as (s1 & s2 & P1 & P2 & H).
    exists s1, s2. repeat split; auto.
    destruct H as [H|H]; [left|right; exact H].
    set (w' := advance w most).
    assert (RO : exists e, forall t i, slot_of w t = Some (levels, i) ->
                 role w' i = role w i - e).
    { assert (week_hand w' = week_hand w \/
              week_hand w' = (week_hand w + 1) mod (turns + 1)) as [E|E]
        by (cbn; unfold begin_week; destruct (_ && _); auto).
      - exists 0. intros t i P. unfold role. rewrite E. lia.
      - exists 1. intros t i P.
        destruct (role_pos w A t i I) as [Hi RI]; [lia|easy|].
        rewrite (role_rotate w w' i Hi E).
        destruct (Z.eqb_spec (role w i) 0); [lia|easy]. }
    destruct RO as [e RO]. destruct s1 as [k1 i1], s2 as [k2 i2].
    destruct (i_ring _ _ I _ _ _ P1) as [[K1 _]|[-> _]],
      (i_ring _ _ I _ _ _ P2) as [[K2 _]|[-> _]].
    + rewrite rank_level in * by easy. now rewrite rank_level in * by easy.
    + rewrite (rank_level w k1) in H by easy.
      destruct (rank_week _ _ _ _ I P2). lia.
    + rewrite (rank_level _ k2) by easy. unfold rank. cbn [fst snd].
      rewrite Nat.ltb_irrefl. pose proof (role_range w' i1). lia.
    + unfold rank in *. cbn [fst snd] in *. rewrite Nat.ltb_irrefl in *.
      rewrite (RO _ _ P1), (RO _ _ P2). lia.
Qed.

Lemma step_ordered w A most e w' :
  inv w A -> ordered w A -> step w most = (e, w') ->
  match e with
  | None => ordered w' A
  | Some t => w' = dequeue w t
  end.
Proof.
  intros I O E. pose proof E as F. apply (step_inv _ A) in F; [|easy].
  destruct e as [t|]; [tauto|].
  unfold step in E. destruct (due w) as [|d] eqn:D.
  - destruct (ahead w), (next_ahead w) eqn:N; injection E as <-;
      (now apply advance_ordered) || now apply ahead_ordered.
  - destruct (list_of w (reached w d)) as [|first others] eqn:L.
    { injection E as <-. destruct O. now constructor. }
    destruct d as [|l].
    + destruct (Z.eqb_spec (remaining w first) 0) as [|Z]; [easy|].
      injection E as <-.
      assert (P : slot_of w first = Some (0%nat, hand w 0)).
      { apply (i_list _ _ I). rewrite <- reached_0, L. now left. }
      pose proof levels_pos as LP.
      apply requeue_ordered with (s := (0%nat, hand w 0)); auto; [|lia|].
      * rewrite expires_0. ring.
      * intros n E. exfalso.
        destruct (o_span _ _ O _ _ _ _ _ P LP E) as [G _]. cbn [ticks] in G.
        destruct (i_rest _ _ I _ _ P) as [Q|Q]; cbn [fst] in Q; lia.
    + injection E as <-. now apply cascade_ordered.
Qed.

(* Histories *)

Lemma asked_before h t x n l : asked h t = Some (x, n, l) -> (n < length h)%nat.
Proof.
  revert x l. induction h as [|e h IH]; intros x l; cbn [asked length]; [easy|].
  destruct e as [t' y|t'|t' y|t' y]; destruct (Nat.eqb t' t); intros E;
    try easy; try (apply IH in E; lia).
  - injection E as _ <- _. lia.
  - destruct (asked h t) as [[[z m] l']|] eqn:F; [|easy].
    injection E as _ <- _. specialize (IH _ _ eq_refl). lia.
Qed.

Definition in_order (s : system) : Prop := ordered (fst s) (asked (snd s)).

Lemma add_order s t x : sound s -> in_order s -> in_order (do_add s t x).
Proof.
  destruct s as [w h]. intros I O. unfold do_add, sound, in_order in *.
  cbn [fst snd] in *. destruct (slot_of w t) eqn:P; [easy|]. cbn [fst snd].
  pose proof (not_past_after w x).
  apply place_ordered with (A := asked h) (n := length h) (late := false);
    auto; try lia; cbn.
  - now rewrite Nat.eqb_refl.
  - intros t' N. now destruct (Nat.eqb_spec t t').
  - intros _. apply add_fits; auto; [lia|].
    intros t' x' n' l' E. now apply asked_before in E.
Qed.

Lemma del_order s t : in_order s -> in_order (do_del s t).
Proof.
  destruct s as [w h]. intros O. unfold do_del, in_order in *.
  destruct (slot_of w t) eqn:P; [|easy]. cbn [fst snd] in *.
  apply dequeue_ordered with (asked h); auto; cbn.
  - now rewrite Nat.eqb_refl.
  - intros t' N. now destruct (Nat.eqb_spec t t').
Qed.

Lemma sooner_order s t x late :
  sound s -> in_order s -> in_order (mod_if_sooner s t x late).
Proof.
  intros I O. pose proof (add_order s t x I O) as HA.
  pose proof (add_order _ t x (del_sound _ t I) (del_order _ t O)) as HM.
  destruct s as [w h]. unfold mod_if_sooner.
  destruct (slot_of w t) as [p|] eqn:P; [|easy].
  destruct (Z.ltb_spec (not_past w x - expiry_of w t) 0); [easy|].
  destruct late; [|easy]. unfold sound, in_order in *. cbn [fst snd] in *.
  destruct (i_asked _ _ I _ _ P) as (n & late & E).
  assert (X : forall t' y m, asked (Postponed t (not_past w x) :: h) t' =
    Some (y, m, false) -> t <> t' /\ asked h t' = Some (y, m, false)).
  { intros t' y m. cbn. destruct (Nat.eqb_spec t t') as [<-|]; [|easy].
    rewrite E. easy. }
  constructor.
  - intros t' k i y m P' K E'. apply X in E' as [N E'].
    cbn [remaining postpone]. rewrite set_id_other by auto.
    eapply (o_span _ _ O); eauto.
  - intros t1 t2 y n1 n2 E1 E2 L. apply X in E1 as [_ E1].
    apply X in E2 as [_ E2]. exact (o_order _ _ O _ _ _ _ _ E1 E2 L).
Qed.

Lemma do_order s o : sound s -> in_order s -> in_order (do s o).
Proof.
  intros I O. destruct o; cbn [do].
  - now apply add_order.
  - now apply del_order.
  - apply add_order; [now apply del_sound|now apply del_order].
  - now apply sooner_order.
  - now apply sooner_order.
  - destruct s as [w h]. unfold do_step, sound, in_order in *.
    cbn [fst snd] in *. destruct (step w most) as [e w'] eqn:E.
    pose proof (step_ordered w _ most e w' I O E) as H.
    destruct e as [t|]; [|exact H]. subst w'. cbn [fst snd].
    apply dequeue_ordered with (asked h); auto; cbn.
    + now rewrite Nat.eqb_refl.
    + intros t' N. now destruct (Nat.eqb_spec t t').
Qed.

Lemma reachable_ordered w h : reachable (w, h) -> ordered w (asked h).
Proof.
  intros H. change (in_order (w, h)). induction H as [now|s o H IH].
  - constructor; cbn; easy.
  - apply do_order; [now apply reachable_sound|easy].
Qed.

(*
 * W5: of those that were to run at that tick, and were not postponed, it was
 * the one that had been armed first.
 *)
Theorem runs_in_order w h after t c before n t2 n2 :
  reachable (w, h) -> h = after ++ Ran t c :: before ->
  asked before t = Some (c, n, false) ->
  asked before t2 = Some (c, n2, false) ->
  (n <= n2)%nat.
Proof.
  intros H E A1 A2.
  destruct (ran_in_step _ _ _ _ _ _ H E) as (v & most & v' & HV & <- & S).
  pose proof (reachable_inv _ _ HV) as I.
  pose proof (reachable_ordered _ _ HV) as O.
  destruct (step_inv _ _ _ _ _ I S) as (P & X & D & _ & L).
  destruct (Nat.le_gt_cases n n2) as [|G]; [easy|exfalso].
  destruct (o_order _ _ O _ _ _ _ _ A2 A1 G) as (s2 & s1 & P2 & P1 & Q).
  replace s1 with (0%nat, hand v 0) in * by congruence.
  pose proof levels_pos as LP. rewrite (rank_level v 0) in Q by easy.
  destruct Q as [Q|[-> Q]].
  - destruct (i_asked _ _ I _ _ P2) as (n' & l & A3). rewrite A3 in A2.
    injection A2 as X2 _ _. destruct s2 as [m j]. unfold expires in X2.
    cbn [fst snd] in X2.
    destruct (i_ring _ _ I _ _ _ P2) as [[M _]|[-> _]].
    + pose proof M as M'. apply Nat.ltb_lt in M'. rewrite M' in X2.
      rewrite rank_level in Q by easy. pose proof (i_done _ _ I _ _ _ P2 M).
      pose proof (visit_range (clk v) m j).
      destruct (i_rest _ _ I _ _ P2) as [F|F]; cbn [fst] in F; lia.
    + rewrite Nat.ltb_irrefl in X2.
      pose proof (i_weeks _ _ I _ _ P2) as F.
      pose proof levels_pos. pose proof (ticks_pos levels).
      destruct (role_pos v _ t2 j I) as [_ RJ]; [lia|easy|].
      pose proof (floor_range levels (clk v)). fold week in *. nia.
  - pose proof (i_once _ _ I (0%nat, hand v 0)) as ND.
    destruct (list_of v (0%nat, hand v 0)) as [|b l']; [easy|].
    injection L as ->. now apply before_first in Q.
Qed.

End Order.
