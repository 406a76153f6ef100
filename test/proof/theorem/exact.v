(* SPDX-License-Identifier: MIT *)
(* exact.v - every timer runs once, on its tick *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model arith invariant stop.
Import ListNotations.
Open Scope Z_scope.

Section Exact.
Context {R : rings}.

(* Time moves on *)

Lemma due_from_spec c n : forall k,
  (forall j, (j < k)%nat -> floor j c = c) ->
  let d := due_from c k n in
  (k <= d <= k + n)%nat /\ (forall j, (j < d)%nat -> floor j c = c) /\
  ((d < k + n)%nat -> floor d c <> c).
Proof.
  induction n as [|n IH]; intros k H; cbn [due_from].
  - repeat split; auto; lia.
  - destruct (Z.eqb_spec (floor k c) c) as [E|E].
    + destruct (IH (S k)) as (H1 & H2 & H3).
      { intros j Hj. destruct (Nat.eq_dec j k) as [->|]; [easy|].
        apply H. lia. }
      cbv zeta in *. repeat split; try lia; auto.
    + repeat split; auto; lia.
Qed.

Lemma role_rotate w w' i :
  0 <= i < turns + 1 -> week_hand w' = (week_hand w + 1) mod (turns + 1) ->
  role w' i = if role w i =? 0 then turns else role w i - 1.
Proof.
  intros Hi E. unfold role. rewrite E, Zminus_mod_idemp_r.
  replace (i - (week_hand w + 1)) with (i - week_hand w - 1) by ring.
  rewrite <- Zminus_mod_idemp_l. pose proof (role_range w i) as R'.
  unfold role in R'. set (r := (i - week_hand w) mod (turns + 1)) in *.
  destruct (Z.eqb_spec r 0) as [->|].
  - symmetry. apply Z.mod_unique with (-1); lia.
  - apply Z.mod_small. lia.
Qed.

Lemma far_role w t i n :
  0 <= n < turns + 1 -> slot_of w t = Some (levels, i) ->
  (levels, i) = far_list w n -> role w i = n.
Proof.
  intros Hn P E. unfold far_list in E. injection E as ->.
  now apply (role_list w n).
Qed.

Lemma advance_quiet w A most :
  inv w A -> due w = 0%nat -> quiet_until w (clk (advance w most)) /\
  clk w < clk (advance w most).
Proof.
  intros I D. split; [apply step_quiet with A; auto|];
    cbn; destruct (ticks_to_step w); lia.
Qed.

Lemma advance_inv w A most :
  inv w A -> due w = 0%nat -> inv (advance w most) A.
Proof.
  intros I D. pose proof turns_range as TR.
  destruct (advance_quiet w A most I D) as [Q C].
  assert (DD : due (advance w most) =
               due_from (clk (advance w most)) 0 (S levels)) by reflexivity.
  assert (WH : week_hand (advance w most) =
               begin_week w (clk (advance w most))) by reflexivity.
  assert (S1 : slot_of (advance w most) = slot_of w) by reflexivity.
  assert (S2 : list_of (advance w most) = list_of w) by reflexivity.
  assert (S3 : remaining (advance w most) = remaining w) by reflexivity.
  assert (S4 : far_due (advance w most) = far_due w) by reflexivity.
  set (w' := advance w most) in *. clearbody w'. set (c := clk w') in *.
  destruct Q as [Q1 Q2].
  pose proof (due_from_spec c (S levels) 0) as DF. cbv zeta in DF.
  rewrite <- DD in DF. destruct DF as (D1 & D2 & D3); [intros; lia|].
  assert (V : forall t k i, slot_of w t = Some (k, i) -> (k < levels)%nat ->
              visit c k i = visit (clk w) k i).
  { intros t k i P K. apply visit_later. pose proof (Q1 t k i P K). lia. }
  (* The lists of the weeks: what they are for, before and after. *)
  assert (N0 : forall t i, slot_of w t = Some (levels, i) ->
    0 <= i < turns + 1 /\ 1 <= role w i <= turns).
  { intros t i. apply (role_pos w A t i I). lia. }
  assert (W : forall t i, slot_of w t = Some (levels, i) ->
    (role w' i = role w i \/
     role w' i = role w i - 1 /\ floor levels c <> moved w levels /\
       (far_due w - floor levels c < turns * week \/ turns = 2)) /\
    floor levels c + role w' i * week <= remaining w t /\
    (role w' i = turns ->
       floor levels c + turns * week <= far_due w <= remaining w t) /\
    (role w' i = 0 -> floor levels c = c)).
  { intros t i P. destruct (N0 _ _ P) as [Hi RI].
    pose proof (i_weeks _ _ I _ _ P) as WK. fold (moved w levels) in WK.
    assert (FD : role w i = turns ->
              moved w levels + turns * week <= far_due w <= remaining w t).
    { intros E. apply (i_far _ _ I). rewrite P, (list_role w i Hi), E. easy. }
    assert (QT : (levels, i) = far w -> role w i = turns).
    { intros E. apply (far_role w t); auto. lia. }
    pose proof (ticks_pos levels) as WP. fold week in WP.
    unfold begin_week in WH.
    destruct (Z.eqb_spec (floor levels c) (moved w levels)) as [E|E].
    { cbn [negb andb] in WH. assert (role w' i = role w i) as ->
        by (unfold role; now rewrite WH).
      repeat split; try lia; auto. }
    cbn [negb andb] in WH.
    pose proof (Q2 _ _ P) as Q.
    destruct (Z.ltb_spec (far_due w - floor levels c) (turns * week)) as [L|L].
    - cbn [orb] in WH. rewrite (role_rotate w w' i) by auto.
      destruct (Z.eqb_spec (role w i) 0); [lia|].
      destruct Q as [Q|[[Qa Qb]|[Q Q']]]; [easy| |].
      { repeat split; try lia; auto; nia. }
      apply QT in Q. specialize (FD Q). destruct (floor_pred levels c) as
        [F|[F1 F2]]; [lia|]. rewrite Q. fold week in F2.
      repeat split; try lia; auto; nia.
    - cbn [orb] in WH.
      destruct (Z.eqb_spec turns 2) as [T|T]; cbn [andb] in WH.
      2: { assert (role w' i = role w i) as ->
             by (unfold role; now rewrite WH).
           assert (role w i = turns) as RT by lia. specialize (FD RT).
           rewrite RT. repeat split; try lia; auto. }
      destruct (is_empty w (next w)) eqn:NE; cbn [negb] in WH.
      + assert (role w' i = role w i) as ->
          by (unfold role; now rewrite WH).
        assert (role w i = turns) as RT.
        { destruct (Z.eq_dec (role w i) 1) as [O|]; [|lia]. exfalso.
          rewrite (list_role w i Hi), O in P. fold (next w) in P.
          apply (is_empty_not _ _ _ _ I) in P. congruence. }
        specialize (FD RT). rewrite RT. repeat split; try lia; auto.
      + rewrite (role_rotate w w' i) by auto.
        destruct (Z.eqb_spec (role w i) 0); [lia|].
        destruct Q as [Q|[[Qa Qb]|[Q Q']]]; [easy| |].
        * repeat split; try lia; auto; nia.
        * apply QT in Q. specialize (FD Q). rewrite Q, T in *.
          repeat split; try lia; auto. }
  constructor; rewrite ?S1, ?S2, ?S3, ?S4; try (now destruct I).
  - intros t s P. destruct (i_asked _ _ I _ _ P) as (n & late & E).
    exists n, late. rewrite E.
    replace (expires w' s t) with (expires w s t); [easy|].
    destruct s as [k i]. unfold expires. cbn [fst snd]. rewrite S3. fold c.
    destruct (Nat.ltb_spec k levels); [|easy]. now rewrite (V t).
  - fold c. intros t k i P K E. rewrite (V t) in E by auto.
    destruct (Nat.lt_ge_cases k (due w')) as [|G]; [easy|]. exfalso.
    apply D3; [lia|]. apply floor_id. rewrite <- E.
    eapply Z.divide_trans; [|apply visit_divide]. now apply ticks_divide.
  - rewrite WH. unfold begin_week. pose proof (i_hand _ _ I).
    destruct (negb _ && _); [|easy]. apply Z.mod_pos_bound. lia.
  - intros t i P. fold c. now apply (W t).
  - intros t P. fold c. unfold far, far_list in P.
    apply (W _ _ P). apply role_list. lia.
  - intros t P. unfold taken, far_list in P.
    pose proof (W _ _ P) as (_ & _ & _ & H).
    assert (F : floor levels c = c) by (apply H, role_list; lia).
    destruct (Nat.eq_dec (due w') (S levels)) as [|G]; [easy|]. exfalso.
    apply D3; [lia|]. apply floor_id.
    eapply Z.divide_trans; [|apply floor_self, F]. apply ticks_divide. lia.
Qed.

(* Histories *)

Definition sound (s : system) : Prop := inv (fst s) (asked (snd s)).

Lemma step_inv w A most e w' :
  inv w A -> step w most = (e, w') ->
  match e with
  | None => inv w' A
  | Some t => slot_of w t = Some (0%nat, hand w 0) /\
      expires w (0%nat, hand w 0) t = clk w /\ due w = 1%nat /\
      w' = dequeue w t /\ hd_error (list_of w (0%nat, hand w 0)) = Some t
  end.
Proof.
  intros I E. unfold step in E. destruct (due w) as [|d] eqn:D.
  - destruct (ahead w); [injection E as <- <-; now apply advance_inv|].
    destruct (next_ahead w) as [[k i]|] eqn:N; injection E as <- <-;
      [|now apply advance_inv].
    apply next_ahead_spec in N as [N1 N2]. cbn [fst] in *.
    apply ahead_inv with i; auto; [|lia].
    apply (i_list _ _ I). unfold is_empty in N1.
    destruct (list_of w (k, i)) as [|a l]; [easy|].
    rewrite last_cons. apply last_in.
  - destruct (list_of w (reached w d)) as [|first others] eqn:L.
    { injection E as <- <-. now apply set_due_inv. }
    assert (P : forall t, In t (first :: others) ->
                slot_of w t = Some (reached w d)).
    { intros t H. apply (i_list _ _ I). now rewrite L. }
    destruct d as [|l].
    + specialize (P first (or_introl eq_refl)). rewrite reached_0 in *.
      pose proof (expires_0 w first) as X.
      destruct (Z.eqb_spec (remaining w first) 0) as [Z|Z];
        injection E as <- <-.
      * rewrite L. repeat split; auto. lia.
      * pose proof (expires_later _ _ _ _ I P) as [H _].
        apply requeue_inv with (s := (0%nat, hand w 0)); auto; try lia.
        apply dequeue_goes; [apply levels_pos| |]; rewrite floor_0; lia.
    + injection E as <- <-. apply cascade_inv; auto. apply P, last_in.
Qed.

Lemma add_sound s t x : sound s -> sound (do_add s t x).
Proof.
  destruct s as [w h]. intros I. unfold do_add.
  destruct (slot_of w t) eqn:P; [easy|]. unfold sound. cbn [fst snd].
  apply add_inv with (asked h) (length h) false; auto; cbn.
  - now rewrite Nat.eqb_refl.
  - intros t' N. now destruct (Nat.eqb_spec t t').
Qed.

Lemma del_sound s t : sound s -> sound (do_del s t).
Proof.
  destruct s as [w h]. intros I. unfold do_del.
  destruct (slot_of w t) eqn:P; [|easy]. unfold sound. cbn [fst snd].
  apply dequeue_inv with (asked h); auto; cbn.
  - now rewrite Nat.eqb_refl.
  - intros t' N. now destruct (Nat.eqb_spec t t').
Qed.

Lemma sooner_sound s t x late : sound s -> sound (mod_if_sooner s t x late).
Proof.
  intros I. pose proof (add_sound s t x I) as HA.
  pose proof (add_sound _ t x (del_sound _ t I)) as HM.
  destruct s as [w h]. unfold mod_if_sooner.
  destruct (slot_of w t) as [p|] eqn:P; [|easy].
  destruct (Z.ltb_spec (not_past w x - expiry_of w t) 0); [easy|].
  destruct late; [|easy]. unfold sound in *. cbn [fst snd] in *.
  rewrite (expiry_of_expires _ _ _ _ I P) in *.
  destruct (i_asked _ _ I _ _ P) as (n & late & E).
  eapply (postpone_inv w (asked h) _ t p); eauto; cbn.
  - rewrite Nat.eqb_refl, E. do 3 f_equal. ring.
  - intros t' N. now destruct (Nat.eqb_spec t t').
Qed.

Lemma do_step_sound s most : sound s -> sound (do_step s most).
Proof.
  destruct s as [w h]. intros I. unfold do_step.
  destruct (step w most) as [e w'] eqn:E.
  pose proof (step_inv w (asked h) most e w' I E) as H.
  destruct e as [t|]; [|exact H].
  destruct H as (P & _ & _ & -> & _). unfold sound. cbn [fst snd].
  apply dequeue_inv with (asked h); auto; cbn.
  - now rewrite Nat.eqb_refl.
  - intros t' N. now destruct (Nat.eqb_spec t t').
Qed.

Lemma do_sound s o : sound s -> sound (do s o).
Proof.
  intros I. destruct o; cbn.
  - now apply add_sound.
  - now apply del_sound.
  - now apply add_sound, del_sound.
  - now apply sooner_sound.
  - now apply sooner_sound.
  - now apply do_step_sound.
Qed.

Lemma init_sound now : sound (init now).
Proof.
  constructor; cbn; intros; try easy; try lia.
  - constructor.
  - split; [lia|]. intros. lia.
  - destruct turns_range; lia.
Qed.

(* What can be, after any calls and steps in any order, with what history. *)
Inductive reachable : system -> Prop :=
| starts now : reachable (init now)
| goes_on s o : reachable s -> reachable (do s o).

Lemma reachable_sound s : reachable s -> sound s.
Proof.
  induction 1; [apply init_sound|now apply do_sound].
Qed.

Lemma reachable_inv w h : reachable (w, h) -> inv w (asked h).
Proof. intros H. now apply reachable_sound in H. Qed.

(* The theorems, for each wheel that can be *)

(* W2: on one list and once, if it is to run; and else on none. *)
Theorem on_one_list w h t :
  reachable (w, h) ->
  (asked h t = None /\ forall s, ~ In t (list_of w s)) \/
  (asked h t <> None /\ exists s, slot_of w t = Some s /\
   count_occ Nat.eq_dec (list_of w s) t = 1%nat /\
   forall s', In t (list_of w s') -> s' = s).
Proof.
  intros H. pose proof (reachable_inv _ _ H) as I.
  destruct (slot_of w t) as [s|] eqn:P; [right|left].
  - split.
    + destruct (i_asked _ _ I _ _ P) as (n & l & ->). easy.
    + exists s. repeat split; auto.
      * apply NoDup_count_occ'; [apply (i_once _ _ I)|].
        now apply (i_list _ _ I).
      * intros s' H'. apply (i_list _ _ I) in H'. congruence.
  - split; [now apply (i_idle _ _ I)|]. intros s H'.
    apply (i_list _ _ I) in H'. cbn in H'. congruence.
Qed.

(* W3: slot and remaining value give exactly the expiry that was asked for. *)
Theorem place_gives_expiry w h t x n late :
  reachable (w, h) -> asked h t = Some (x, n, late) -> expiry_of w t = x.
Proof.
  intros H E. pose proof (reachable_inv _ _ H) as I.
  destruct (slot_of w t) as [s|] eqn:P.
  - rewrite (expiry_of_expires _ _ _ _ I P).
    destruct (i_asked _ _ I _ _ P) as (n' & l & E'). cbn in E'. congruence.
  - apply (i_idle _ _ I) in P. cbn in P. congruence.
Qed.

(* Whatever ran did so in a step from a wheel with that history. *)
Lemma ran_in_step w h after t c before :
  reachable (w, h) -> h = after ++ Ran t c :: before ->
  exists v most v', reachable (v, before) /\ clk v = c /\
    step v most = (Some t, v').
Proof.
  intros H. remember (w, h) as s eqn:S. revert w h after S.
  induction H as [now|[w0 h0] o H IH]; intros w h after S E.
  { injection S as <- <-. now destruct after. }
  match goal with |- ?g => set (G := g) in * end.
  assert (G0 : (w0, h0) = (w, h) -> G) by eauto.
  assert (GI : forall a, h0 = a ++ Ran t c :: before -> G) by eauto.
  (* Each new event but an expiry leaves the rest as it was. *)
  assert (G1 : forall w1 e h1, (forall t c, e <> Ran t c) ->
    (forall a, h1 = a ++ Ran t c :: before -> G) ->
    (w1, e :: h1) = (w, h) -> G).
  { intros w1 e h1 N K Q. injection Q as -> <-.
    destruct after as [|e' after]; injection E as -> E; [now destruct (N t c)|].
    eauto. }
  assert (GA : forall w1 t1 x1, do_add (w1, h0) t1 x1 = (w, h) ->
    (w1, h0) = (w, h) \/ G).
  { intros w1 t1 x1. unfold do_add. destruct (slot_of w1 t1); [auto|].
    intros Q. right. now apply G1 in Q. }
  assert (GM : forall t1 x1, do_mod (w0, h0) t1 x1 = (w, h) -> G).
  { intros t1 x1. unfold do_mod, do_del. destruct (slot_of w0 t1) eqn:P.
    - unfold do_add. destruct (dequeue_clk w0 t1) as (_ & _ & ->).
      intros Q. apply G1 in Q; [easy|easy|].
      intros a Q2. destruct a; injection Q2 as Q1 Q2; [easy|]. eauto.
    - intros Q. apply GA in Q. tauto. }
  assert (GS : forall t1 x1 l1, mod_if_sooner (w0, h0) t1 x1 l1 = (w, h) -> G).
  { intros t1 x1 l1. unfold mod_if_sooner. destruct (slot_of w0 t1) eqn:P.
    - destruct (_ <? _); [apply GM|]. destruct l1; [|easy].
      intros Q. now apply G1 in Q.
    - intros Q. apply GA in Q. tauto. }
  destruct o; cbn [do] in S.
  - apply GA in S. tauto.
  - unfold do_del in S. destruct (slot_of w0 t0); [|auto]. now apply G1 in S.
  - now apply GM in S.
  - now apply GS in S.
  - now apply GS in S.
  - unfold do_step in S. destruct (step w0 most) as [e w'] eqn:F.
    destruct e as [t1|]; [|injection S as <- <-; eauto].
    injection S as <- <-. destruct after as [|e after].
    2: { injection E as _ E. eauto. }
    injection E as <- <- <-. exists w0, most, w'. auto.
Qed.

(* W6: what runs was to run at that tick; and it is not to run any more. *)
Theorem runs_on_its_tick w h before t c :
  reachable (w, h) -> forall after, h = after ++ Ran t c :: before ->
  (exists n late, asked before t = Some (c, n, late)) /\
  asked (Ran t c :: before) t = None.
Proof.
  intros H after E. split; [|cbn; now rewrite Nat.eqb_refl].
  destruct (ran_in_step _ _ _ _ _ _ H E) as (v & most & v' & HV & <- & S).
  pose proof (reachable_inv _ _ HV) as I.
  destruct (step_inv _ _ _ _ _ I S) as (P & <- & _).
  exact (i_asked _ _ I _ _ P).
Qed.

Lemma asked_again h t c h' :
  asked (h ++ Ran t c :: h') t <> None -> exists x, In (Armed t x) h.
Proof.
  induction h as [|e h IH]; cbn; [now rewrite Nat.eqb_refl|].
  destruct e as [t' x|t'|t' x|t' x]; destruct (Nat.eqb_spec t' t) as [->|];
    intros H; try (destruct IH as [y Y]; [easy|eauto]); try easy.
  - eauto.
  - destruct IH as [y Y]; [|eauto]. now destruct (asked _ t).
Qed.

(* W6: it runs once for each arming. *)
Theorem runs_once w h h1 h2 h3 t c1 c2 :
  reachable (w, h) -> h = h1 ++ Ran t c2 :: h2 ++ Ran t c1 :: h3 ->
  exists x, In (Armed t x) h2.
Proof.
  intros H E. destruct (runs_on_its_tick w h _ t c2 H h1 E) as [(n & l & F) _].
  apply asked_again with c1 h3. now rewrite F.
Qed.

(* W6: what is still to run is not late, and after a run's tick it is later. *)
Theorem never_late w h t x n late :
  reachable (w, h) -> asked h t = Some (x, n, late) ->
  clk w <= x /\ (due w = 0%nat -> clk w < x).
Proof.
  intros H E. pose proof (reachable_inv _ _ H) as I.
  destruct (slot_of w t) as [s|] eqn:P.
  - destruct (i_asked _ _ I _ _ P) as (n' & l & E'). cbn in E'.
    rewrite E' in E. injection E as <- _ _.
    now apply (expires_later w (asked h)).
  - apply (i_idle _ _ I) in P. cbn in P. congruence.
Qed.

(* W7 *)
Lemma set_due_find w d k h n :
  forall e, find (set_due w d) k h e n = find w k h e n.
Proof.
  induction n as [|n IH]; intros e; cbn [find]; [easy|].
  rewrite IH. reflexivity.
Qed.

Lemma set_due_stop w d : ticks_to_stop (set_due w d) = ticks_to_stop w.
Proof.
  unfold ticks_to_stop.
  assert (E : next_ahead (set_due w d) = next_ahead w).
  { unfold next_ahead. destruct (turns =? 1); [easy|].
    generalize (levels - 1)%nat as n. intros n. generalize 1%nat.
    induction n as [|n IH]; intros k;
      cbn [ahead_from]; [reflexivity|]. rewrite IH. reflexivity. }
  rewrite E. destruct (next_ahead w); [easy|].
  generalize 0%nat. induction levels as [|n IH]; intros k; cbn [stop_from];
    [reflexivity|]. change (hand (set_due w d)) with (hand w).
  rewrite set_due_find, IH. reflexivity.
Qed.

Lemma quiet_expires w A c t s :
  inv w A -> due w = 0%nat -> quiet_until w c -> slot_of w t = Some s ->
  c <= expires w s t.
Proof.
  intros I D [Q1 Q2] P. destruct s as [k i].
  pose proof turns_range. unfold expires. cbn [fst snd].
  destruct (Nat.ltb_spec k levels) as [K|K].
  - pose proof (Q1 _ _ _ P K). destruct (i_rest _ _ I _ _ P) as [F|F];
      cbn [fst] in F; lia.
  - destruct (i_ring _ _ I _ _ _ P) as [|[-> Hi]]; [lia|].
    pose proof (i_weeks _ _ I _ _ P) as W.
    destruct (role_pos w _ t i I) as [_ RI]; [lia|easy|].
    pose proof (ticks_pos levels). fold week in *.
    pose proof (floor_range levels c). pose proof (floor_range levels (c - 1)).
    fold week in *. unfold moved in *.
    assert (week <= turns * week) by nia.
    destruct (Q2 _ _ P) as [F|[[F G]|[F G]]]; [nia|nia|].
    rewrite F in P. apply (i_far _ _ I) in P. nia.
Qed.

Theorem stops_in_time w h :
  reachable (w, h) ->
  match next_stop w with
  | None => forall t, asked h t = None
  | Some stop =>
    forall t x n late, asked h t = Some (x, n, late) -> stop <= x
  end.
Proof.
  intros H. unfold next_stop.
  destruct ((1 <? due w)%nat || negb (is_empty w (0%nat, hand w 0))) eqn:B.
  { intros t x n late E. now apply (never_late w h t x n late H). }
  apply orb_false_elim in B as [B1 B2]. apply Nat.ltb_ge in B1.
  apply negb_false_iff in B2.
  pose proof (reachable_inv _ _ H) as I.
  set (v := set_due w 0).
  assert (J : inv v (asked h)).
  { destruct (due w) as [|d] eqn:D.
    - subst v. rewrite <- D. now destruct I.
    - assert (d = 0%nat) as -> by lia. apply set_due_inv; auto.
      rewrite reached_0. unfold is_empty in *.
      now destruct (list_of w (0%nat, hand w 0)). }
  rewrite <- (set_due_stop w 0). fold v.
  change (clk w) with (clk v).
  assert (D : due v = 0%nat) by easy.
  destruct (ticks_to_stop v) as [stop|] eqn:S; cbn [option_map].
  - intros t x n late E.
    destruct (slot_of v t) as [p|] eqn:P.
    2: { apply (i_idle _ _ J) in P. congruence. }
    destruct (i_asked _ _ J _ _ P) as (n' & l & E'). rewrite E' in E.
    injection E as <- _ _.
    enough (clk v + Z.max 1 stop <= expires v p t) by lia.
    apply quiet_expires with (asked h); auto.
    apply stop_quiet with (asked h); auto; [lia|]. rewrite S. lia.
  - intros t. destruct (slot_of v t) as [p|] eqn:P.
    2: now apply (i_idle _ _ J).
    exfalso. destruct (expires_later _ _ _ _ J P) as [_ L]. specialize (L D).
    enough (expires v p t + 1 <= expires v p t) by lia.
    apply quiet_expires with (asked h); auto.
    apply stop_quiet with (asked h); auto; [lia|]. now rewrite S.
Qed.

End Exact.
