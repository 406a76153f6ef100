(* SPDX-License-Identifier: MIT *)
(*
 * invariant.v - what is true of a wheel at any moment, and what keeps it so
 *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model arith.
Import ListNotations.
Open Scope Z_scope.

Section Invariant.
Context {R : rings}.

Definition book := id -> option (Z * nat * bool).

(* How many weeks after this one a list of the weeks is for, at the soonest. *)
Definition role (w : wheel) (i : Z) : Z := (i - week_hand w) mod (turns + 1).

(* When what waits in a slot expires: what the slot and the rest of it say. *)
Definition expires (w : wheel) (s : slot) (t : id) : Z :=
  if (fst s <? levels)%nat then visit (clk w) (fst s) (snd s) + remaining w t
  else remaining w t.

Record inv (w : wheel) (A : book) : Prop := {
  (* W2: a timer is pending if and only if it is on one list, once *)
  i_list : forall t s, slot_of w t = Some s <-> In t (list_of w s);
  i_once : forall s, NoDup (list_of w s);
  i_ring : forall t k i, slot_of w t = Some (k, i) ->
    (k < levels)%nat /\ 0 <= i < size k \/ k = levels /\ 0 <= i < turns + 1;
  (* W3: its place says when it expires; what is not pending is not asked for *)
  i_idle : forall t, slot_of w t = None -> A t = None;
  i_asked : forall t s, slot_of w t = Some s ->
    exists n late, A t = Some (expires w s t, n, late);
  i_rest : forall t s, slot_of w t = Some s -> 0 <= remaining w t \/
    fst s = levels;
  (* W4: under a hand that has just moved nothing waits, once that is done *)
  i_due : (due w <= S levels)%nat /\
    forall k, (k < due w)%nat -> floor k (clk w) = clk w;
  i_done : forall t k i, slot_of w t = Some (k, i) -> (k < levels)%nat ->
    visit (clk w) k i = clk w -> (k < due w)%nat;
  (* W10, and what is known of later weeks *)
  i_hand : 0 <= week_hand w < turns + 1;
  i_weeks : forall t i, slot_of w t = Some (levels, i) ->
    floor levels (clk w) + role w i * week <= remaining w t;
  i_far : forall t, slot_of w t = Some (far w) ->
    floor levels (clk w) + turns * week <= far_due w <= remaining w t;
  i_taken : forall t, slot_of w t = Some (taken w) -> due w = S levels
}.

(* Updates *)

Lemma slot_eqb_spec s s' : reflect (s = s') (slot_eqb s s').
Proof.
  destruct s as [k i], s' as [k' i']. unfold slot_eqb. cbn.
  destruct (Nat.eqb_spec k k'), (Z.eqb_spec i i'); constructor; congruence.
Qed.

Lemma set_slot_same {V} (f : slot -> V) s v : set_slot f s v s = v.
Proof. unfold set_slot. now destruct (slot_eqb_spec s s). Qed.

Lemma set_slot_other {V} (f : slot -> V) s s' v :
  s <> s' -> set_slot f s v s' = f s'.
Proof. unfold set_slot. now destruct (slot_eqb_spec s s'). Qed.

Lemma set_id_same {V} (f : id -> V) t v : set_id f t v t = v.
Proof. unfold set_id. now rewrite Nat.eqb_refl. Qed.

Lemma set_id_other {V} (f : id -> V) t t' v : t <> t' -> set_id f t v t' = f t'.
Proof. unfold set_id. now destruct (Nat.eqb_spec t t'). Qed.

Lemma slot_dec (s s' : slot) : {s = s'} + {s <> s'}.
Proof. destruct (slot_eqb_spec s s'); auto. Qed.

(* The lists of the weeks *)

Lemma role_range w i : 0 <= role w i < turns + 1.
Proof. apply Z.mod_pos_bound. destruct turns_range; lia. Qed.

Lemma role_list w n : 0 <= n < turns + 1 -> role w (snd (far_list w n)) = n.
Proof.
  intros H. unfold role, far_list. cbn. rewrite Zminus_mod_idemp_l.
  replace (week_hand w + n - week_hand w) with n by ring.
  now apply Z.mod_small.
Qed.

Lemma list_role w i :
  0 <= i < turns + 1 -> (levels, i) = far_list w (role w i).
Proof.
  intros H. unfold role, far_list. f_equal. rewrite Zplus_mod_idemp_r.
  replace (week_hand w + (i - week_hand w)) with i by ring.
  symmetry. now apply Z.mod_small.
Qed.

(* Taking a timer off *)

Lemma dequeue_inv w A A' t :
  inv w A -> A' t = None -> (forall t', t <> t' -> A' t' = A t') ->
  inv (dequeue w t) A'.
Proof.
  intros I E O. unfold dequeue. destruct (slot_of w t) as [s|] eqn:P.
  2: { assert (X : forall t', A' t' = A t').
       { intros t'. destruct (Nat.eq_dec t t') as [<-|]; [|auto].
         rewrite E. symmetry. now apply (i_idle _ _ I). }
       destruct I; constructor; try easy.
       - intros. rewrite X. auto.
       - intros t' s' H. rewrite X. auto. }
  assert (N : forall t' s', set_id (slot_of w) t None t' = Some s' ->
              t <> t' /\ slot_of w t' = Some s').
  { intros t' s'. destruct (Nat.eq_dec t t') as [<-|D].
    - now rewrite set_id_same.
    - rewrite set_id_other; auto. }
  destruct I; constructor; cbn [clk due ahead week_hand far_due list_of slot_of
    remaining] in *; try easy.
  - intros t' s'. destruct (slot_dec s s') as [<-|D].
    + rewrite set_slot_same. split.
      * intros H. apply N in H as [H1 H2]. apply in_in_remove; [auto|].
        now apply i_list0.
      * intros H. apply in_remove in H as [H1 H2].
        rewrite set_id_other by auto. now apply i_list0.
    + rewrite set_slot_other by auto. rewrite <- i_list0.
      destruct (Nat.eq_dec t t') as [<-|F].
      * rewrite set_id_same, P. split; congruence.
      * now rewrite set_id_other.
  - intros s'. destruct (slot_dec s s') as [<-|D].
    + rewrite set_slot_same. clear -i_once0.
      induction (i_once0 s) as [|a l H1 H2 IH]; cbn; [constructor|].
      destruct (Nat.eq_dec t a); [easy|]. constructor; [|easy].
      intros H. apply in_remove in H. tauto.
    + rewrite set_slot_other; auto.
  - intros t' k i H. apply N in H as [_ H]. eauto.
  - intros t'. destruct (Nat.eq_dec t t') as [<-|D]; [easy|].
    rewrite set_id_other, O by auto. auto.
  - intros t' s' H. apply N in H as [D H]. rewrite O by auto.
    apply i_asked0 in H. exact H.
  - intros t' s' H. apply N in H as [_ H]. eauto.
  - intros t' k i H. apply N in H as [_ H]. eauto.
  - intros t' i H. apply N in H as [_ H]. apply i_weeks0 in H. exact H.
  - intros t' H. apply N in H as [_ H]. apply i_far0 in H. exact H.
  - intros t' H. apply N in H as [_ H]. apply i_taken0 in H. exact H.
Qed.

(* Putting one on *)

Lemma later_far w l :
  later w l = far w /\ l <> levels \/ later w l = next w /\ l = levels.
Proof. unfold later. destruct (Nat.eqb_spec l levels); auto. Qed.

Lemma later_role w l :
  role w (snd (later w l)) = turns /\ l <> levels \/
  role w (snd (later w l)) = 1 /\ l = levels.
Proof.
  pose proof turns_range. destruct (later_far w l) as [[-> D]|[-> D]];
    [left|right]; (split; [|easy]); apply role_list; lia.
Qed.

Lemma later_list w l : later w l = (levels, snd (later w l)) /\
  0 <= snd (later w l) < turns + 1.
Proof.
  pose proof turns_range.
  destruct (later_far w l) as [[-> _]|[-> _]]; cbn; split; try easy;
    apply Z.mod_pos_bound; lia.
Qed.

(* What may be put where: on a level or, with spreading, in the next list. *)
Definition may_go (w : wheel) (x : Z) (l : nat) : Prop :=
  (l < levels)%nat /\ clk w <= floor l x /\
    (floor l x = clk w -> (l < due w)%nat) \/
  l = levels /\ turns = 2 /\ floor levels (clk w) + week <= x.

(* Where it is put, the clock will show its expiry; under a hand, at once. *)
Lemma place_visit w x l :
  clk w <= x -> may_go w x l ->
  let (s, r) := place_of w x l in
  ((fst s < levels)%nat /\ 0 <= snd s < size (fst s) /\
   r = x - floor (fst s) x /\
   visit (clk w) (fst s) (snd s) = floor (fst s) x /\
   (floor (fst s) x = clk w -> (fst s < due w)%nat)) \/
  (s = later w l /\ r = x /\
   floor levels (clk w) + role w (snd (later w l)) * week <= x).
Proof.
  intros Hx M. assert (Hl : (l <= levels)%nat) by (destruct M; lia).
  pose proof turns_range as TR. pose proof (ticks_pos levels) as WP.
  fold week in WP.
  pose proof (place_of_spec w x l Hx Hl) as H.
  destruct (place_of w x l) as [[k i] r]. cbn [fst snd] in *.
  destruct H as (Hk & Hn & [(K & -> & -> & SP)|(E & ->)]).
  - left. destruct M as [(L & H1 & H2)|(L & _)]; [|lia].
    pose proof (size_pos k).
    assert (F : clk w <= floor k x /\
                (floor k x = clk w -> (k < due w)%nat)).
    { destruct (Nat.eq_dec k l) as [->|]; [auto|].
      assert (G : spans (clk w) (pred k) x = false) by (apply Hn; lia).
      apply spans_not in G. replace (S (pred k)) with k in G by lia.
      apply floor_after in G. lia. }
    destruct F as [F1 F2]. repeat split; auto.
    + now apply Z.mod_pos_bound.
    + now apply Z.mod_pos_bound.
    + apply visit_place; [easy|]. now apply spans_range.
  - right. repeat split; auto.
    destruct M as [(L & H1 & H2)|(L & _ & F)].
    2: { destruct (later_role w l) as [[_ Q]|[-> _]]; [easy|lia]. }
    assert (k = levels) as ->
      by (destruct (later_list w l) as [Q _]; congruence).
    assert (G : spans (clk w) (pred levels) x = false) by (apply Hn; lia).
    apply spans_not_turns in G.
    replace (S (pred levels)) with levels in G by lia. fold week in G.
    destruct (later_role w l) as [[-> _]|[_ Q]]; [easy|lia].
Qed.

Lemma place_inv w A A' t x l f n late :
  inv w A -> slot_of w t = None ->
  clk w <= x -> may_go w x l ->
  A' t = Some (x, n, late) -> (forall t', t <> t' -> A' t' = A t') ->
  inv (place w t x l f) A'.
Proof.
  intros I P Hx M E O. pose proof (place_visit w x l Hx M) as H.
  unfold place. destruct (place_of w x l) as [s r].
  assert (NI : forall s', ~ In t (list_of w s')).
  { intros s' X. apply (i_list _ _ I) in X. congruence. }
  assert (N : forall t' s', set_id (slot_of w) t (Some s) t' = Some s' ->
     t = t' /\ s = s' \/ t <> t' /\ slot_of w t' = Some s').
  { intros t' s'. destruct (Nat.eq_dec t t') as [<-|D].
    - rewrite set_id_same. intros X. left. split; congruence.
    - rewrite set_id_other; auto. }
  pose proof (turns_range) as TR. destruct (later_list w l) as [LL LR].
  assert (LF : fst (later w l) = levels) by (now rewrite LL).
  assert (NT : s <> taken w).
  { intros ->. change (fst (taken w)) with levels in H.
    assert (Q : role w (snd (taken w)) = 0) by (apply role_list; lia).
    destruct H as [H|[H _]]; [lia|]. rewrite H in Q.
    destruct (later_role w l) as [[? _]|[? _]]; lia. }
  assert (NF : l = levels -> s <> far w).
  { intros L ->. change (fst (far w)) with levels in H.
    assert (Q : role w (snd (far w)) = turns) by (apply role_list; lia).
    destruct M as [[? _]|(_ & T & _)]; [lia|].
    destruct H as [H|[H _]]; [lia|]. rewrite H in Q.
    destruct (later_role w l) as [[_ ?]|[? _]]; [easy|lia]. }
  constructor; cbn [clk due ahead week_hand far_due list_of slot_of
    remaining] in *; try (now destruct I).
  - intros t' s'. destruct (slot_dec s s') as [<-|D].
    + rewrite set_slot_same.
      assert (X : In t' (if f then t :: list_of w s else list_of w s ++ [t]) <->
        t = t' \/ In t' (list_of w s)).
      { destruct f; [easy|]. rewrite in_app_iff. cbn. tauto. }
      rewrite X, <- (i_list _ _ I). destruct (Nat.eq_dec t t') as [<-|F].
      * rewrite set_id_same. tauto.
      * rewrite set_id_other by auto. tauto.
    + rewrite set_slot_other by auto. rewrite <- (i_list _ _ I).
      destruct (Nat.eq_dec t t') as [<-|F].
      * rewrite set_id_same, P. split; congruence.
      * now rewrite set_id_other.
  - intros s'. destruct (slot_dec s s') as [<-|D].
    + rewrite set_slot_same. destruct f.
      * constructor; [auto|apply (i_once _ _ I)].
      * apply NoDup_Add with (a := t) (l := list_of w s).
        -- rewrite <- (app_nil_r (list_of w s)) at 1. apply Add_app.
        -- split; [apply (i_once _ _ I)|auto].
    + rewrite set_slot_other by auto. apply (i_once _ _ I).
  - intros t' k i X. apply N in X as [[_ ->]|[_ X]].
    + cbn [fst snd] in H. destruct H as [H|H]; [left; tauto|].
      right. destruct H as [H _]. rewrite LL in H. injection H as -> ->. auto.
    + eapply i_ring; eauto.
  - intros t'. destruct (Nat.eq_dec t t') as [<-|D].
    + now rewrite set_id_same.
    + rewrite set_id_other, O by auto. apply (i_idle _ _ I).
  - intros t' s' X. apply N in X as [[<- <-]|[D X]].
    + exists n, late. rewrite E. unfold expires. cbn [clk remaining].
      rewrite set_id_same. do 3 f_equal.
      destruct H as [(H & _ & -> & V & _)|(-> & -> & _)].
      * apply Nat.ltb_lt in H. rewrite H, V. lia.
      * now rewrite LF, Nat.ltb_irrefl.
    + rewrite O by auto. unfold expires. cbn [clk remaining].
      rewrite set_id_other by auto. apply (i_asked _ _ I _ _ X).
  - intros t' s' X. apply N in X as [[<- <-]|[D X]].
    + rewrite set_id_same. destruct H as [(H & _ & -> & _)|(-> & _)].
      * left. pose proof (floor_range (fst s) x). lia.
      * now right.
    + rewrite set_id_other by auto. eapply i_rest; eauto.
  - intros t' k i X K V. apply N in X as [[<- ->]|[D X]].
    + cbn [fst snd] in H. destruct H as [H|[H _]].
      * destruct H as (_ & _ & _ & V' & H). apply H. congruence.
      * rewrite LL in H. injection H as -> _. lia.
    + eapply i_done; eauto.
  - intros t' i X. unfold role. cbn [week_hand]. fold (role w i).
    apply N in X as [[<- ->]|[D X]].
    + cbn [fst snd] in H. destruct H as [H|H]; [lia|].
      destruct H as (F & -> & F'). rewrite set_id_same.
      now assert (i = snd (later w l)) as -> by (now rewrite <- F).
    + rewrite set_id_other by auto. now apply (i_weeks _ _ I).
  - intros t' X. unfold far, far_list in X. cbn [week_hand] in X.
    fold (far_list w turns) in X. fold (far w) in X.
    apply N in X as [[<- ->]|[D X]].
    + change (fst (far w)) with levels in *.
      rewrite Nat.ltb_irrefl, set_id_same.
      destruct (Nat.eqb_spec l levels) as [L|L]; [now apply NF in L|].
      destruct H as [H|(E1 & -> & F)]; [lia|].
      rewrite <- E1 in F. unfold far in F. rewrite role_list in F by lia.
      unfold is_empty. destruct (list_of w (far w)) as [|a l'] eqn:LE;
        cbn [orb]; [lia|].
      assert (G : slot_of w a = Some (far w)).
      { apply (i_list _ _ I). rewrite LE. now left. }
      apply (i_far _ _ I) in G. destruct (Z.ltb_spec x (far_due w)); lia.
    + rewrite set_id_other by auto.
      pose proof (i_far _ _ I _ X) as G.
      destruct (Nat.ltb_spec (fst s) levels); [easy|].
      destruct (Nat.eqb_spec l levels) as [L|L]; [easy|].
      destruct H as [H|(-> & -> & F)]; [lia|].
      destruct (later_far w l) as [[LE _]|[_ Q]]; [|easy].
      rewrite LE in *. unfold far in F. rewrite role_list in F by lia.
      apply (i_list _ _ I) in X. unfold is_empty.
      destruct (list_of w (far w)); [easy|]. cbn [orb].
      destruct (Z.ltb_spec x (far_due w)); lia.
  - intros t' X. unfold taken, far_list in X. cbn [week_hand] in X.
    fold (far_list w 0) in X. fold (taken w) in X.
    apply N in X as [[<- ->]|[D X]].
    + easy.
    + now apply (i_taken _ _ I) in X.
Qed.

(* What lib/wheel.c computes from where a timer is, is when it expires. *)
Lemma expiry_of_expires w A t s :
  inv w A -> slot_of w t = Some s -> expiry_of w t = expires w s t.
Proof.
  intros I P. unfold expiry_of, expires. rewrite P.
  destruct s as [k i]. cbn [fst snd].
  destruct (Nat.ltb_spec k levels) as [K|]; [|easy].
  destruct (i_ring _ _ I _ _ _ P) as [[_ H]|[H _]]; [|lia].
  now rewrite <- visit_computed.
Qed.

(* Nothing is late. *)
Lemma expires_later w A t s :
  inv w A -> slot_of w t = Some s ->
  clk w <= expires w s t /\ (due w = 0%nat -> clk w < expires w s t).
Proof.
  intros I P. destruct s as [k i]. unfold expires. cbn [fst snd].
  pose proof (floor_range levels (clk w)) as F.
  pose proof (role_range w i) as RR. pose proof (ticks_pos levels).
  fold week in *.
  destruct (Nat.ltb_spec k levels) as [K|K].
  - pose proof (visit_range (clk w) k i) as V.
    pose proof (i_done _ _ I _ _ _ P K).
    destruct (i_rest _ _ I _ _ P) as [Q|Q]; cbn in Q; lia.
  - destruct (i_ring _ _ I _ _ _ P) as [|[-> Q]]; [lia|].
    pose proof (i_weeks _ _ I _ _ P) as W.
    destruct (Z.eq_dec (role w i) 0) as [Z|Z].
    + assert (E : due w = S levels).
      { apply (i_taken _ _ I t). rewrite P, (list_role w i Q), Z. easy. }
      destruct (i_due _ _ I) as [_ D]. specialize (D levels ltac:(lia)).
      rewrite Z in W. lia.
    + nia.
Qed.

(* Once the list for this week is empty, what is on another one is later. *)
Lemma role_pos w A t i :
  inv w A -> due w <> S levels -> slot_of w t = Some (levels, i) ->
  0 <= i < turns + 1 /\ 1 <= role w i <= turns.
Proof.
  intros I D P. destruct (i_ring _ _ I _ _ _ P) as [|[_ Hi]]; [lia|].
  split; [easy|]. pose proof (role_range w i).
  assert (role w i <> 0); [|lia]. intros Z. apply D.
  apply (i_taken _ _ I t). now rewrite P, (list_role w i Hi), Z.
Qed.

(* Calls *)

Lemma not_past_after w x : clk w < not_past w x.
Proof. unfold not_past. destruct (Z.ltb_spec (clk w) x); lia. Qed.

Lemma add_inv w A A' t x n late :
  inv w A -> slot_of w t = None -> A' t = Some (not_past w x, n, late) ->
  (forall t', t <> t' -> A' t' = A t') -> inv (add w t x) A'.
Proof.
  intros I P E O. pose proof (not_past_after w x).
  pose proof levels_pos.
  eapply place_inv; try eassumption; try lia. left. rewrite floor_0. lia.
Qed.

Lemma postpone_inv w A A' t s d n late :
  inv w A -> slot_of w t = Some s -> 0 <= d ->
  A' t = Some (expires w s t + d, n, late) ->
  (forall t', t <> t' -> A' t' = A t') -> inv (postpone w t d) A'.
Proof.
  intros I P D E O.
  assert (L : forall t', remaining w t' <= remaining (postpone w t d) t').
  { intros t'. cbn. destruct (Nat.eq_dec t t') as [<-|].
    - rewrite set_id_same. lia.
    - rewrite set_id_other by auto. lia. }
  destruct I; constructor; try easy.
  - intros t' H. cbn in H. rewrite O; [auto|congruence].
  - intros t' s' H. cbn in H. destruct (Nat.eq_dec t t') as [<-|F].
    + replace s' with s in * by congruence. exists n, late. rewrite E.
      replace (expires (postpone w t d) s t) with (expires w s t + d); [easy|].
      unfold expires. cbn [remaining postpone clk]. rewrite set_id_same.
      destruct (fst s <? levels)%nat; ring.
    + rewrite O by auto. apply i_asked0 in H. unfold expires in *. cbn.
      rewrite set_id_other by auto. exact H.
  - intros t' s' H. apply i_rest0 in H. specialize (L t'). lia.
  - intros t' i H. apply i_weeks0 in H. specialize (L t').
    change (role (postpone w t d) i) with (role w i). cbn [clk postpone]. lia.
  - intros t' H. apply i_far0 in H. specialize (L t').
    cbn [clk far_due postpone]. lia.
Qed.

(* Moving a timer on *)

Lemma dequeue_clk w t :
  clk (dequeue w t) = clk w /\ due (dequeue w t) = due w /\
  slot_of (dequeue w t) t = None.
Proof.
  unfold dequeue. destruct (slot_of w t) eqn:E; [|easy]. cbn.
  now rewrite set_id_same.
Qed.

Lemma dequeue_slot w t t' s :
  slot_of (dequeue w t) t' = Some s -> slot_of w t' = Some s.
Proof.
  unfold dequeue. destruct (slot_of w t); [|easy]. cbn.
  destruct (Nat.eq_dec t t') as [<-|]; [now rewrite set_id_same|].
  now rewrite set_id_other.
Qed.

Lemma dequeue_far w t :
  far (dequeue w t) = far w /\ next (dequeue w t) = next w.
Proof. unfold dequeue. now destruct (slot_of w t). Qed.

Lemma dequeue_goes w t x l :
  (l < levels)%nat -> clk w <= floor l x ->
  (floor l x = clk w -> (l < due w)%nat) -> may_go (dequeue w t) x l.
Proof.
  intros. left. destruct (dequeue_clk w t) as (-> & -> & _). auto.
Qed.

Lemma dequeue_forgets w A t :
  inv w A -> inv (dequeue w t) (set_id A t None).
Proof.
  intros I. apply dequeue_inv with (A := A); [easy|apply set_id_same|].
  intros. now apply set_id_other.
Qed.

Lemma level_below_spec w t l :
  level_below w t l = l /\ (turns = 2 -> S l = levels ->
    remaining w t - moved w levels < week) \/
  level_below w t l = levels /\ turns = 2 /\ S l = levels /\
    week <= remaining w t - moved w levels.
Proof.
  unfold level_below. destruct (Z.eqb_spec turns 2); cbn [andb]; [|now left].
  destruct (Nat.eqb_spec (S l) levels); cbn [andb]; [|now left].
  destruct (Z.leb_spec week (remaining w t - moved w levels)); auto.
Qed.

Lemma requeue_inv w A t s l x :
  inv w A -> slot_of w t = Some s -> x = expires w s t ->
  may_go (dequeue w t) x l -> inv (requeue w t l x) A.
Proof.
  intros I P -> M. destruct (i_asked _ _ I _ _ P) as (n & late & E).
  destruct (dequeue_clk w t) as (C & D & N).
  enough (Q : inv (place (dequeue w t) t (expires w s t) l true) A)
    by (destruct Q; now constructor).
  apply place_inv with (A := set_id A t None) (n := n) (late := late);
    rewrite ?C, ?D; auto.
  - now apply dequeue_forgets.
  - now apply (expires_later w A).
  - intros. symmetry. now apply set_id_other.
Qed.

Lemma last_in {V} (l : list V) (a : V) : In (last l a) (a :: l).
Proof.
  revert a. induction l as [|b l IH]; intros a; [now left|].
  destruct l as [|c l]; [right; now left|].
  change (last (b :: c :: l) a) with (last (c :: l) a).
  destruct (IH a) as [H|H]; [now left|]. right. now right.
Qed.

Lemma last_cons l : forall (c a : id), last (c :: l) a = last l c.
Proof.
  induction l as [|d l IH]; intros c a; [easy|].
  change (last (c :: d :: l) a) with (last (d :: l) a).
  now rewrite IH, IH.
Qed.

Lemma visit_hand w k :
  floor k (clk w) = clk w -> visit (clk w) k (hand w k) = clk w.
Proof.
  intros H. unfold hand. rewrite <- H at 3. pose proof (span_pos k).
  apply visit_place; lia.
Qed.

Lemma reached_0 w : reached w 0 = (0%nat, hand w 0).
Proof.
  unfold reached. pose proof levels_pos.
  destruct (Nat.eqb_spec 0 levels); [lia|easy].
Qed.

Lemma expires_0 w t :
  expires w (0%nat, hand w 0) t = clk w + remaining w t.
Proof.
  unfold expires. cbn [fst snd]. pose proof levels_pos as LP.
  apply Nat.ltb_lt in LP. rewrite LP, visit_hand; [easy|apply floor_0].
Qed.

(* What has been reached goes down: that is when it expires. *)
Lemma reached_expires w A t l :
  inv w A -> due w = S (S l) ->
  remaining w t + (if Nat.eqb (S l) levels then 0 else clk w) =
  expires w (reached w (S l)) t.
Proof.
  intros I D. pose proof (i_due _ _ I) as [D1 D2]. unfold expires, reached.
  destruct (Nat.eqb_spec (S l) levels) as [E|E].
  - change (fst (taken w)) with levels. rewrite Nat.ltb_irrefl. lia.
  - cbn [fst snd]. destruct (Nat.ltb_spec (S l) levels); [|lia].
    rewrite visit_hand by (apply D2; lia). lia.
Qed.

Lemma cascade_inv w A t l :
  inv w A -> due w = S (S l) -> slot_of w t = Some (reached w (S l)) ->
  inv (requeue w t (level_below w t l)
    (remaining w t + if Nat.eqb (S l) levels then 0 else clk w)) A.
Proof.
  intros I D P. pose proof (i_due _ _ I) as [D1 D2].
  pose proof (reached_expires w A t l I D) as X.
  rewrite X. pose proof (expires_later _ _ _ _ I P) as [L _].
  apply requeue_inv with (s := reached w (S l)); auto.
  destruct (level_below_spec w t l) as [[-> _]|(-> & T & E & F)].
  - apply dequeue_goes; try lia. apply floor_least; [|easy].
    apply floor_self, D2. lia.
  - right. split; [easy|]. unfold reached in *.
    destruct (Nat.eqb_spec (S l) levels); [|easy].
    destruct (dequeue_clk w t) as [-> _].
    split; [easy|]. unfold expires. change (fst (taken w)) with levels.
    rewrite Nat.ltb_irrefl. unfold moved in F. lia.
Qed.

(* What will be reached may go down ahead of time. *)
Lemma ahead_inv w A t k i :
  inv w A -> due w = 0%nat -> slot_of w t = Some (k, i) -> (1 <= k)%nat ->
  inv (requeue w t (pred k) (expiry_of w t)) A.
Proof.
  intros I D P K. rewrite (expiry_of_expires _ _ _ _ I P).
  assert (k <= levels)%nat by (destruct (i_ring _ _ I _ _ _ P); lia).
  assert (F : clk w < floor (pred k) (expires w (k, i) t)).
  { unfold expires. cbn [fst snd]. destruct (Nat.ltb_spec k levels) as [L|L].
    - pose proof (visit_range (clk w) k i).
      pose proof (i_done _ _ I _ _ _ P L).
      destruct (i_rest _ _ I _ _ P) as [Q|Q]; cbn in Q; [|lia].
      enough (visit (clk w) k i <=
              floor (pred k) (visit (clk w) k i + remaining w t)) by lia.
      apply floor_least; [|lia].
      eapply Z.divide_trans; [|apply visit_divide]. apply ticks_divide. lia.
    - assert (k = levels) as -> by lia.
      pose proof (i_weeks _ _ I _ _ P) as W.
      destruct (role_pos w A t i I) as [_ Q]; [lia|easy|].
      pose proof (ticks_pos levels).
      pose proof (floor_range levels (clk w)). fold week in *.
      enough (floor levels (clk w) + week <=
              floor (pred levels) (remaining w t)) by lia.
      apply floor_least; [|nia].
      apply Z.divide_add_r; [eapply Z.divide_trans; [|apply floor_divide]|];
        apply ticks_divide; lia. }
  apply requeue_inv with (s := (k, i)); auto. apply dequeue_goes; lia.
Qed.

(* A slot is empty: the next one is due. *)
Lemma set_due_inv w A d :
  inv w A -> due w = S d -> list_of w (reached w d) = [] -> inv (set_due w d) A.
Proof.
  intros I D E. pose proof (i_due _ _ I) as [D1 D2].
  assert (N : forall t, slot_of w t <> Some (reached w d)).
  { intros t H. apply (i_list _ _ I) in H. now rewrite E in H. }
  constructor; try (now destruct I); cbn [set_due due clk slot_of].
  - split; [lia|]. intros. apply D2. lia.
  - intros t k i P K V. pose proof (i_done _ _ I _ _ _ P K V).
    destruct (Nat.eq_dec k d) as [->|]; [|lia]. exfalso. apply (N t).
    rewrite P. unfold reached. destruct (Nat.eqb_spec d levels); [lia|].
    do 2 f_equal. apply visit_now; [|easy].
    destruct (i_ring _ _ I _ _ _ P); lia.
  - intros t P. pose proof (i_taken _ _ I _ P). exfalso. apply (N t).
    unfold reached. destruct (Nat.eqb_spec d levels); [easy|lia].
Qed.

End Invariant.
