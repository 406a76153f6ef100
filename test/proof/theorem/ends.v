(* SPDX-License-Identifier: MIT *)
(* ends.v - each run comes to its end *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model arith invariant stop exact.
Import ListNotations.
Open Scope Z_scope.

Section Ends.
Context {R : rings}.

(* What goes on from the slot that has been reached does not come back to it. *)
Lemma place_elsewhere w A x l d :
  inv w A -> (d < due w)%nat -> clk w <= x -> (l <= levels)%nat ->
  (d = 0%nat -> clk w < x) -> (l <= d)%nat ->
  (l = d -> d = 0%nat \/ d = levels) ->
  fst (place_of w x l) <> reached w d.
Proof.
  intros I D Hx Hl H0 L L0 E. pose proof (place_of_spec w x l Hx Hl) as H.
  destruct (place_of w x l) as [[k i] r]. cbn [fst snd] in *.
  pose proof (i_due _ _ I) as [D1 D2]. specialize (D2 d D).
  destruct H as (Hk & Hn & H). unfold reached in E.
  destruct (Nat.eqb_spec d levels) as [F|F].
  - destruct H as [(K & _)|[H _]].
    + unfold taken, far_list in E. injection E as -> _. lia.
    + assert (Q : role w (snd (taken w)) = 0)
        by (apply role_list; destruct turns_range; lia).
      rewrite <- E, H in Q.
      destruct turns_range, (later_role w l) as [[? _]|[? _]]; lia.
  - injection E as -> ->. destruct H as [(K & HI & _ & SP)|[H _]].
    2: { destruct (later_list w l) as [G _]. rewrite G in H.
         injection H as H _. lia. }
    assert (F1 : clk w < floor d x).
    { destruct (Nat.eq_dec l d) as [->|N].
      - destruct (L0 eq_refl); [|easy]. subst d. rewrite floor_0. auto.
      - assert (G : spans (clk w) (pred d) x = false) by (apply Hn; lia).
        apply spans_not in G. replace (S (pred d)) with d in G by lia.
        now apply floor_after. }
    pose proof (visit_hand w d D2) as V. rewrite HI in V.
    rewrite visit_place in V; [lia|lia|]. now apply spans_range.
Qed.

(* What a step comes closer to. *)
Definition closer (w w' : wheel) (most : Z) : Prop :=
  match due w with
  | O =>
    due w' = 0%nat /\ clk w' = clk w /\ ahead w = S (ahead w') \/
    clk w < clk w' <= clk w + Z.max 1 most /\
      (ahead w = 0%nat \/ next_ahead w = None)
  | S d =>
    clk w' = clk w /\
    (due w' = d \/ due w' = S d /\
     (length (list_of w' (reached w' d)) <
      length (list_of w (reached w d)))%nat)
  end.

Lemma dequeue_shorter w A t s :
  inv w A -> slot_of w t = Some s ->
  (length (list_of (dequeue w t) s) < length (list_of w s))%nat.
Proof.
  intros I P. unfold dequeue. rewrite P. cbn [list_of]. rewrite set_slot_same.
  apply remove_length_lt. now apply (i_list _ _ I).
Qed.

Lemma reached_same w t d : reached (dequeue w t) d = reached w d.
Proof. unfold dequeue. now destruct (slot_of w t). Qed.

Lemma requeue_same w t l x d :
  let w' := requeue w t l x in
  clk w' = clk w /\ due w' = due w /\ ahead w' = pred (ahead w) /\
  reached w' d = reached w d.
Proof.
  unfold requeue, place. destruct (place_of _ _ _). unfold dequeue.
  now destruct (slot_of w t).
Qed.

Lemma requeue_shorter w A t l x d :
  inv w A -> slot_of w t = Some (reached w d) -> (d < due w)%nat ->
  clk w <= x -> (l <= levels)%nat -> (d = 0%nat -> clk w < x) ->
  (l <= d)%nat -> (l = d -> d = 0%nat \/ d = levels) ->
  (length (list_of (requeue w t l x) (reached (requeue w t l x) d)) <
   length (list_of w (reached w d)))%nat.
Proof.
  intros I P D H1 H2 H3 H4 H5.
  destruct (requeue_same w t l x d) as (_ & _ & _ & E).
  rewrite E. pose proof (dequeue_shorter w A t _ I P) as S.
  destruct (dequeue_clk w t) as (C & DU & _).
  pose proof (dequeue_forgets w A t I) as J.
  rewrite <- C in H1, H3. rewrite <- DU in D.
  pose proof (place_elsewhere _ _ x l d J D H1 H2 H3 H4 H5) as N.
  rewrite reached_same in N. unfold requeue. cbn [list_of].
  unfold place. destruct (place_of (dequeue w t) x l) as [s r].
  cbn [fst] in N. cbn [list_of]. now rewrite set_slot_other.
Qed.

Lemma step_closer w A most e w' :
  inv w A -> step w most = (e, w') -> closer w w' most.
Proof.
  intros I E. unfold step in E. unfold closer.
  assert (ADV : clk w < clk (advance w most) <= clk w + Z.max 1 most)
    by (cbn; destruct (ticks_to_step w); lia).
  destruct (due w) as [|d] eqn:D.
  - destruct (ahead w) as [|a] eqn:AH; [injection E as <- <-; auto|].
    destruct (next_ahead w) as [s|]; injection E as <- <-; [|auto].
    left. destruct (requeue_same w (last (list_of w s) 0%nat) (pred (fst s))
      (expiry_of w (last (list_of w s) 0%nat)) 0) as (-> & -> & -> & _).
    rewrite AH, D. auto.
  - destruct (list_of w (reached w d)) as [|first others] eqn:L.
    { injection E as <- <-. auto. }
    rewrite <- L in *.
    assert (P : forall t, In t (list_of w (reached w d)) ->
                slot_of w t = Some (reached w d))
      by (intros t; apply (i_list _ _ I)).
    pose proof (i_due _ _ I) as [D1 D2].
    destruct d as [|l].
    + assert (PF : slot_of w first = Some (reached w 0)).
      { apply P. rewrite L. now left. }
      destruct (Z.eqb_spec (remaining w first) 0) as [Z|Z];
        injection E as <- <-.
      * rewrite reached_same. destruct (dequeue_clk w first) as (-> & -> & _).
        split; [easy|right]. split; [easy|]. now apply (dequeue_shorter w A).
      * destruct (requeue_same w first 0 (remaining w first + clk w) 0)
          as (-> & -> & _ & _).
        split; [easy|right]. split; [easy|].
        assert (0 <= remaining w first).
        { rewrite reached_0 in PF. pose proof levels_pos.
          destruct (i_rest _ _ I _ _ PF) as [F|F]; cbn in F; lia. }
        apply (requeue_shorter w A); auto; lia.
    + injection E as <- <-. set (t := last others first).
      assert (PT : slot_of w t = Some (reached w (S l))).
      { apply P. rewrite L. apply last_in. }
      set (x := remaining w t + _).
      set (b := level_below w t l).
      destruct (requeue_same w t b x 0) as (-> & -> & _ & _).
      split; [easy|right]. split; [easy|].
      assert (B : b = l \/ b = levels /\ S l = levels).
      { destruct (level_below_spec w t l) as [[? _]|(? & _ & ? & _)]; auto. }
      apply (requeue_shorter w A); auto; try lia.
      subst x. change (match levels with O => false | S m => Nat.eqb l m end)
        with (Nat.eqb (S l) levels).
      destruct (Nat.eqb_spec (S l) levels) as [F|F].
      * unfold reached in PT. rewrite (proj2 (Nat.eqb_eq _ _) F) in PT.
        pose proof (i_weeks _ _ I _ _ PT) as G.
        rewrite D2 in G by lia.
        pose proof (role_range w ((week_hand w + 0) mod (turns + 1))).
        pose proof (ticks_pos levels). fold week in *. nia.
      * destruct (i_rest _ _ I _ _ PT) as [|G]; [lia|].
        unfold reached in G. rewrite (proj2 (Nat.eqb_neq _ _) F) in G.
        cbn in G. lia.
Qed.

(* Whether a run to that tick is over. *)
Definition at_rest (w : wheel) (target : Z) : bool :=
  Nat.eqb (due w) 0 && (target <=? clk w) &&
  (Nat.eqb (ahead w) 0 || match next_ahead w with
                          | None => true
                          | Some _ => false
                          end).

(* A run of n steps at most; each may go as far as somebody likes. *)
Fixpoint run (n : nat) (like : system -> Z) (target : Z) (s : system) :
    system :=
  match n with
  | O => s
  | S n =>
    if at_rest (fst s) target then s
    else run n like target
      (do_step s (Z.min (like s) (target - clk (fst s))))
  end.

Definition run_is_over (like : system -> Z) (target : Z) (s : system) : Prop :=
  exists n, let w := fst (run n like target s) in
    at_rest w target = true /\ clk w = target.

Theorem run_ends like target s :
  sound s -> clk (fst s) <= target -> run_is_over like target s.
Proof.
  remember (Z.to_nat (target - clk (fst s))) as left eqn:E.
  revert s E. induction left as [left IHL] using (well_founded_induction lt_wf).
  assert (NEXT : forall s, clk (fst s) <= target -> sound s ->
    at_rest (fst s) target = false ->
    run_is_over like target
      (do_step s (Z.min (like s) (target - clk (fst s)))) ->
    run_is_over like target s).
  { intros s _ _ F [n H]. exists (S n). cbn [run]. now rewrite F. }
  assert (LATER : forall s, sound s -> clk (fst s) <= target ->
    (Z.to_nat (target - clk (fst s)) < left)%nat ->
    run_is_over like target s).
  { intros s I C H. exact (IHL _ H s eq_refl I C). }
  assert (STEP : forall s m, sound s -> closer (fst s) (fst (do_step s m)) m).
  { intros [w h] m I. unfold do_step. destruct (step w m) as [e w'] eqn:S.
    pose proof (step_closer w (asked h) m e w' I S) as H.
    now destruct e. }
  (* With nothing due, by what may be moved ahead. *)
  assert (A : forall a s, left = Z.to_nat (target - clk (fst s)) -> sound s ->
    clk (fst s) <= target -> due (fst s) = 0%nat -> ahead (fst s) = a ->
    run_is_over like target s).
  { induction a as [|a IHA]; intros s E I C D AH.
    all: destruct (at_rest (fst s) target) eqn:F.
    1, 3: exists 0%nat; cbn [run]; split; [easy|]; unfold at_rest in F;
      apply andb_prop in F as [F _]; apply andb_prop in F as [_ F];
      apply Z.leb_le in F; lia.
    all: apply NEXT; auto.
    all: pose proof (STEP s (Z.min (like s) (target - clk (fst s))) I) as CL;
      pose proof (do_step_sound s (Z.min (like s) (target - clk (fst s))) I)
        as IS; unfold closer in CL; rewrite D in CL.
    all: destruct CL as [(D' & C' & A')|[C' NA]].
    - lia.
    - unfold at_rest in F. rewrite D, AH in F. cbn in F.
      rewrite andb_true_r in F. apply Z.leb_gt in F.
      apply LATER; auto; lia.
    - apply IHA; auto; lia.
    - destruct NA as [NA|NA]; [lia|]. unfold at_rest in F.
      rewrite D, NA, orb_true_r, andb_true_r in F. cbn in F.
      apply Z.leb_gt in F. apply LATER; auto; lia. }
  (* And else by the levels that are due, and what their slots hold. *)
  enough (B : forall d s, left = Z.to_nat (target - clk (fst s)) -> sound s ->
    clk (fst s) <= target -> due (fst s) = d -> run_is_over like target s)
    by eauto.
  induction d as [|d IHD]; [eauto|]. intros s.
  remember (length (list_of (fst s) (reached (fst s) d))) as len eqn:LEN.
  revert s LEN. induction len as [len IHN] using (well_founded_induction lt_wf).
  intros s LEN E I C D.
  assert (F : at_rest (fst s) target = false)
    by (unfold at_rest; now rewrite D).
  apply NEXT; auto.
  pose proof (STEP s (Z.min (like s) (target - clk (fst s))) I) as CL.
  pose proof (do_step_sound s (Z.min (like s) (target - clk (fst s))) I) as IS.
  unfold closer in CL. rewrite D in CL. destruct CL as [C' [D'|[D' LT]]].
  - apply IHD; auto; lia.
  - eapply IHN; [|reflexivity| | | |]; auto; lia.
Qed.

End Ends.
