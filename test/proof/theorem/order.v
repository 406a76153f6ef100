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

Lemma last_cons l : forall (c a : id), last (c :: l) a = last l c.
Proof.
  induction l as [|d l IH]; intros c a; [easy|].
  change (last (c :: d :: l) a) with (last (d :: l) a).
  now rewrite IH, IH.
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
      * unfold far, far_list in H. injection H as -> _. lia.
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

Lemma rank_far w : rank w (far w) = Z.of_nat levels.
Proof.
  unfold rank. change (fst (far w)) with levels. rewrite Nat.ltb_irrefl.
  unfold far. rewrite role_list; destruct turns_range; lia.
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
    + unfold far, far_list in H. injection H as -> _. lia.
  - destruct (rank_week _ _ _ _ I P2) as [-> RR].
    destruct H as [(K & _)|[H _]].
    + rewrite rank_level by easy. left. lia.
    + rewrite H, rank_far. destruct (Z.eq_dec (role w j) turns) as [E|]; [|lia].
      right. split; [|easy]. rewrite (list_role w j Hj), E. easy.
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
  - apply dequeue_inv with (A := A); [easy|apply set_id_same|].
    intros. now apply set_id_other.
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

(* From here on without spreading. *)
Context (plain : turns = 1).

Lemma weeks_later w A t i :
  inv w A -> slot_of w t = Some (levels, i) -> (levels, i) <> taken w ->
  (levels, i) = far w /\ floor levels (clk w) + week <= remaining w t.
Proof.
  intros I P NT. destruct (i_ring _ _ I _ _ _ P) as [|[_ Hi]]; [lia|].
  pose proof (list_role w i Hi) as E. pose proof (role_range w i).
  destruct (Z.eq_dec (role w i) 0) as [Z|Z].
  - rewrite Z in E. easy.
  - assert (role w i = turns) as F by lia. rewrite F in E. split; [easy|].
    fold (far w) in E. rewrite E in P. apply (i_far _ _ I) in P.
    rewrite plain in P. lia.
Qed.

Lemma dequeue_place w t x l : place_of (dequeue w t) x l = place_of w x l.
Proof. unfold dequeue. now destruct (slot_of w t). Qed.

Lemma cascade_ordered w A a l o :
  inv w A -> ordered w A -> due w = S (S l) ->
  list_of w (reached w (S l)) = a :: o ->
  let t := last o a in
  ordered (requeue w t l
    (remaining w t + if Nat.eqb (S l) levels then 0 else clk w)) A.
Proof.
  intros I O D L t.
  assert (P : slot_of w t = Some (reached w (S l))).
  { apply (i_list _ _ I). rewrite L. apply last_in. }
  pose proof (i_due _ _ I) as [D1 D2].
  assert (LB : (l < levels)%nat) by lia.
  assert (X : remaining w t + (if Nat.eqb (S l) levels then 0 else clk w) =
              expires w (reached w (S l)) t).
  { unfold expires, reached.
    destruct (Nat.eqb_spec (S l) levels) as [E|E].
    - change (fst (taken w)) with levels. rewrite Nat.ltb_irrefl. lia.
    - cbn [fst snd]. destruct (Nat.ltb_spec (S l) levels); [|lia].
      rewrite visit_hand by (apply D2; lia). lia. }
  rewrite X. set (x := expires w (reached w (S l)) t) in *.
  pose proof (expires_later _ _ _ _ I P) as [LT _]. fold x in LT.
  assert (F1 : floor (S l) (clk w) = clk w) by (apply D2; lia).
  apply requeue_ordered with (s := reached w (S l)); auto; [lia|].
  intros n E. rewrite dequeue_place.
  apply last_fits with (s0 := reached w (S l)); auto; [eauto| |].
  all: pose proof (place_of_spec w x l LT ltac:(lia)) as H;
    destruct (place_of w x l) as [[k i] r]; cbn [fst snd] in *;
    destruct H as (Hk & Hn & H).
  all: assert (RT : rank w (taken w) = Z.of_nat levels + 1) by
    (unfold rank; change (fst (taken w)) with levels;
     rewrite Nat.ltb_irrefl; unfold taken; rewrite role_list; lia).
  all: assert (NF : far w <> taken w) by
    (intros Y; pose proof (rank_far w); rewrite Y in *; lia).
  all: unfold reached in *; destruct (Nat.eqb_spec (S l) levels) as [W|W].
  (* What is above it is due later, or was armed earlier. *)
  - destruct H as [(K & _)|[-> _]]; [rewrite rank_level by easy; lia|].
    rewrite rank_far. lia.
  - assert (SP : spans (clk w) l x = true).
    { destruct (o_span _ _ O _ _ _ _ _ P ltac:(lia) E) as [G _].
      apply spans_within; [|auto]. rewrite F1, plain.
      lia. }
    assert (k = l) as ->.
    { destruct (Nat.eq_dec k l) as [|Q]; [easy|]. rewrite Hn in SP by lia.
      easy. }
    rewrite !rank_level by lia. lia.
  - intros t2 [m j] n2 P2 E2 RK.
    destruct (i_ring _ _ I _ _ _ P2) as [[M Hj]|[-> Hj]].
    + rewrite (rank_level w m) by easy.
      destruct H as [(K & -> & _)|[-> _]].
      * rewrite rank_level by easy.
        destruct (Nat.eq_dec m l) as [->|]; [|lia]. assert (k = l) as -> by lia.
        right. f_equal. eapply slot_unique; eauto.
      * rewrite rank_far. lia.
    + assert (NT : (levels, j) <> taken w).
      { intros Y. rewrite Y in RK. lia. }
      destruct (weeks_later w A t2 j I P2 NT) as [-> G].
      destruct H as [(K & _ & _ & SP)|[-> _]]; [|auto]. exfalso.
      destruct (i_asked _ _ I _ _ P2) as (n' & l' & E').
      rewrite E' in E2. injection E2 as X2 _ _.
      unfold expires in X2. change (fst (far w)) with levels in X2.
      rewrite Nat.ltb_irrefl in X2.
      assert (k = pred levels) as -> by lia.
      unfold spans in SP. rewrite plain in SP. cbn [Z.eqb Pos.eqb] in SP.
      replace (S (pred levels)) with levels in SP by lia.
      apply Z.ltb_lt in SP. fold week in SP. rewrite W in F1. lia.
  - assert (SP : spans (clk w) l x = true).
    { destruct (o_span _ _ O _ _ _ _ _ P ltac:(lia) E) as [G _].
      apply spans_within; [|auto]. rewrite F1, plain.
      lia. }
    assert (k = l) as ->.
    { destruct (Nat.eq_dec k l) as [|Q]; [easy|]. rewrite Hn in SP by lia.
      easy. }
    intros t2 [m j] n2 P2 E2 RK.
    rewrite (rank_level w l) by lia. rewrite (rank_level w (S l)) in RK by lia.
    destruct (i_ring _ _ I _ _ _ P2) as [[M Hj]|[-> Hj]].
    + rewrite (rank_level w m) in RK by easy.
      rewrite (rank_level w m) by easy.
      destruct (Nat.eq_dec m l) as [->|]; [|lia]. right. f_equal.
      destruct H as [(_ & -> & _)|[H _]].
      * eapply slot_unique; eauto.
      * unfold far, far_list in H. injection H as H _. lia.
    + destruct (rank_week _ _ _ _ I P2). lia.
Qed.

Lemma advance_ordered w A most :
  inv w A -> ordered w A -> due w = 0%nat -> ordered (advance w most) A.
Proof.
  intros I O D. constructor.
  - intros t k i x n P K E.
    destruct (o_span _ _ O _ _ _ _ _ P K E) as [H1 H2]. split; [exact H1|].
    apply spans_later with (clk w); [|easy].
    cbn. destruct (ticks_to_stop w); lia.
  - intros t1 t2 x n1 n2 E1 E2 L.
    destruct (o_order _ _ O _ _ _ _ _ E1 E2 L) as (s1 & s2 & P1 & P2 & H).
    exists s1, s2. repeat split; auto.
    destruct H as [H|H]; [left|right; exact H].
    assert (NT : forall t i, slot_of w t = Some (levels, i) ->
                 (levels, i) = far w).
    { intros t i P. apply (weeks_later w A t i I P). intros Y. rewrite Y in P.
      apply (i_taken _ _ I) in P. lia. }
    destruct s1 as [k1 i1], s2 as [k2 i2].
    destruct (i_ring _ _ I _ _ _ P1) as [[K1 _]|[-> _]],
      (i_ring _ _ I _ _ _ P2) as [[K2 _]|[-> _]].
    + rewrite rank_level in * by easy. now rewrite rank_level in * by easy.
    + rewrite (rank_level w k1) in H by easy.
      destruct (rank_week _ _ _ _ I P2). lia.
    + rewrite (rank_level _ k2) by easy. unfold rank. cbn [fst snd].
      rewrite Nat.ltb_irrefl.
      pose proof (role_range (advance w most) i1). lia.
    + rewrite (NT _ _ P1), (NT _ _ P2) in H. lia.
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
  - unfold next_ahead in E. rewrite plain in E. cbn [Z.eqb Pos.eqb] in E.
    assert (w' = advance w most) as -> by (destruct (ahead w); congruence).
    now apply advance_ordered.
  - destruct (list_of w (reached w d)) as [|first others] eqn:L.
    { injection E as <-. destruct O. now constructor. }
    destruct d as [|l].
    + destruct (Z.eqb_spec (remaining w first) 0) as [|Z]; [easy|].
      injection E as <-.
      assert (R0 : reached w 0 = (0%nat, hand w 0)).
      { unfold reached. pose proof levels_pos.
        destruct (Nat.eqb_spec 0 levels); [lia|easy]. }
      assert (P : slot_of w first = Some (0%nat, hand w 0)).
      { apply (i_list _ _ I). rewrite <- R0, L. now left. }
      pose proof levels_pos as LP.
      apply requeue_ordered with (s := (0%nat, hand w 0)); auto; [|lia|].
      * unfold expires. cbn [fst snd]. apply Nat.ltb_lt in LP. rewrite LP.
        rewrite visit_hand; [ring|]. apply floor_0.
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
      assert (NT : (levels, j) <> taken v).
      { intros Y. rewrite Y in P2. apply (i_taken _ _ I) in P2. lia. }
      destruct (weeks_later v _ t2 j I P2 NT) as [_ F].
      pose proof (floor_range levels (clk v)). fold week in *. lia.
  - pose proof (i_once _ _ I (0%nat, hand v 0)) as ND.
    destruct (list_of v (0%nat, hand v 0)) as [|b l']; [easy|].
    injection L as ->. now apply before_first in Q.
Qed.

End Order.
