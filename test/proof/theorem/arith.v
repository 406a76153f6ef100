(* SPDX-License-Identifier: MIT *)
(* arith.v - what divisions give: rings, and where in them something is due *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model.
Open Scope Z_scope.

Section Arith.
Context {R : rings}.

Lemma ticks_pos k : 0 < ticks k.
Proof. induction k; cbn [ticks]; [lia|]. pose proof (slots_pos k). nia. Qed.

Lemma size_pos k : 0 < size k.
Proof. unfold size. pose proof (slots_pos k). destruct turns_range; nia. Qed.

Lemma size_ticks k : size k * ticks k = turns * ticks (S k).
Proof. unfold size. cbn [ticks]. ring. Qed.

Lemma span_pos k : 0 < size k * ticks k.
Proof. pose proof (size_pos k). pose proof (ticks_pos k). nia. Qed.

Lemma ticks_divide j k : (j <= k)%nat -> (ticks j | ticks k).
Proof.
  induction 1; [apply Z.divide_refl|]. cbn [ticks].
  now apply Z.divide_mul_l.
Qed.

Lemma ticks_le j k : (j <= k)%nat -> ticks j <= ticks k.
Proof.
  intros H. apply Z.divide_pos_le; [apply ticks_pos | now apply ticks_divide].
Qed.

(* Two multiples are the same, or that much apart. *)
Lemma gap m a b : 0 < m -> (m | a) -> (m | b) -> a < b -> a + m <= b.
Proof. intros Hm [p ->] [q ->] H. assert (p + 1 <= q) by nia. nia. Qed.

Lemma floor_divide k c : (ticks k | floor k c).
Proof. unfold floor. apply Z.divide_factor_l. Qed.

Lemma floor_range k c : floor k c <= c < floor k c + ticks k.
Proof.
  unfold floor. pose proof (ticks_pos k) as H.
  pose proof (Z.mul_div_le c (ticks k) H).
  pose proof (Z.mul_succ_div_gt c (ticks k) H). lia.
Qed.

Lemma floor_unique k c v :
  (ticks k | v) -> v <= c < v + ticks k -> floor k c = v.
Proof.
  intros Hv H. pose proof (floor_range k c). pose proof (floor_divide k c).
  pose proof (ticks_pos k).
  destruct (Z.lt_trichotomy (floor k c) v) as [E|[E|E]]; [|easy|].
  - apply (gap (ticks k)) in E; try easy. lia.
  - apply (gap (ticks k)) in E; try easy. lia.
Qed.

Lemma floor_least k a b : (ticks k | a) -> a <= b -> a <= floor k b.
Proof.
  intros Ha H. destruct (Z.le_gt_cases a (floor k b)) as [|E]; [easy|].
  apply (gap (ticks k)) in E; try easy.
  - pose proof (floor_range k b). lia.
  - apply ticks_pos.
  - apply floor_divide.
Qed.

Lemma floor_id k a : (ticks k | a) -> floor k a = a.
Proof.
  intros H. apply floor_unique; [easy|]. pose proof (ticks_pos k). lia.
Qed.

Lemma floor_self k c : floor k c = c -> (ticks k | c).
Proof. intros <-. apply floor_divide. Qed.

Lemma floor_mono k a b : a <= b -> floor k a <= floor k b.
Proof.
  intros H. apply floor_least; [apply floor_divide|].
  pose proof (floor_range k a). lia.
Qed.

Lemma floor_nest j k c : (j <= k)%nat -> floor k c <= floor j c.
Proof.
  intros H. apply floor_least.
  - eapply Z.divide_trans; [apply (ticks_divide j k H)|apply floor_divide].
  - pose proof (floor_range k c). lia.
Qed.

Lemma floor_after k c x : ticks k <= x - c -> c < floor k x.
Proof. intros H. pose proof (floor_range k x). lia. Qed.

Lemma floor_0 c : floor 0 c = c.
Proof. unfold floor. cbn [ticks]. rewrite Z.div_1_r. lia. Qed.

(* The first tick, not before c, at which the hand of level k reaches slot i. *)
Definition visit (c : Z) (k : nat) (i : Z) : Z :=
  c + (i * ticks k - c) mod (size k * ticks k).

Lemma visit_range c k i : c <= visit c k i < c + size k * ticks k.
Proof.
  unfold visit.
  pose proof (Z.mod_pos_bound (i * ticks k - c) _ (span_pos k)). lia.
Qed.

Lemma visit_slot c k i : (size k * ticks k | visit c k i - i * ticks k).
Proof.
  unfold visit. set (m := size k * ticks k).
  exists (- ((i * ticks k - c) / m)).
  pose proof (span_pos k). pose proof (Z.div_mod (i * ticks k - c) m). lia.
Qed.

Lemma visit_unique c k i v :
  (size k * ticks k | v - i * ticks k) -> c <= v < c + size k * ticks k ->
  visit c k i = v.
Proof.
  intros Hv H. pose proof (visit_range c k i). pose proof (visit_slot c k i).
  pose proof (span_pos k).
  assert (D : (size k * ticks k | visit c k i - v)).
  { replace (visit c k i - v)
      with (visit c k i - i * ticks k - (v - i * ticks k)) by ring.
    now apply Z.divide_sub_r. }
  destruct D as [q D]. assert (q = 0) by nia. nia.
Qed.

Lemma visit_divide c k i : (ticks k | visit c k i).
Proof.
  replace (visit c k i) with (visit c k i - i * ticks k + i * ticks k) by ring.
  apply Z.divide_add_r; [|apply Z.divide_factor_r].
  eapply Z.divide_trans; [|apply visit_slot]. apply Z.divide_factor_r.
Qed.

(* It stays the same until then. *)
Lemma visit_later c c' k i :
  c <= c' <= visit c k i -> visit c' k i = visit c k i.
Proof.
  intros H. pose proof (visit_range c k i).
  apply visit_unique; [apply visit_slot | lia].
Qed.

(* What is due at x, put where the clock will show x, waits until then. *)
Lemma visit_place c k x :
  c <= floor k x -> x < c + size k * ticks k ->
  visit c k ((x / ticks k) mod size k) = floor k x.
Proof.
  intros H1 H2. pose proof (floor_range k x). apply visit_unique; [|lia].
  pose proof (size_pos k). pose proof (Z.div_mod (x / ticks k) (size k)).
  exists (x / ticks k / size k). unfold floor. nia.
Qed.

(* The slot under a hand is the one that it is in. *)
Lemma visit_now c k i :
  0 <= i < size k -> visit c k i = c -> i = (c / ticks k) mod size k.
Proof.
  intros Hi H. pose proof (visit_slot c k i) as [q D].
  rewrite H in D. pose proof (ticks_pos k).
  assert (E : c / ticks k = i + q * size k).
  { replace c with ((i + q * size k) * ticks k) by lia.
    apply Z.div_mul. lia. }
  rewrite E, Z.mod_add by lia. symmetry. now apply Z.mod_small.
Qed.

(* What lib/wheel.c computes from the hand and when it moved last. *)
Lemma visit_computed c k i :
  0 <= i < size k ->
  (let v := floor k c + (i - (c / ticks k) mod size k) * ticks k in
   if v <? c then v + size k * ticks k else v) = visit c k i.
Proof.
  intros Hi. cbv zeta. set (h := (c / ticks k) mod size k).
  pose proof (size_pos k). pose proof (ticks_pos k).
  pose proof (floor_range k c).
  assert (0 <= h < size k) by (apply Z.mod_pos_bound; lia).
  assert (D : (size k * ticks k |
               floor k c + (i - h) * ticks k - i * ticks k)).
  { pose proof (Z.div_mod (c / ticks k) (size k)) as E. fold h in E.
    exists (c / ticks k / size k). unfold floor. nia. }
  destruct (Z.ltb_spec (floor k c + (i - h) * ticks k) c); symmetry.
  - apply visit_unique; [|nia].
    replace (floor k c + (i - h) * ticks k + size k * ticks k - i * ticks k)
      with (floor k c + (i - h) * ticks k - i * ticks k + size k * ticks k)
      by ring.
    apply Z.divide_add_r; [easy|apply Z.divide_refl].
  - apply visit_unique; [easy|nia].
Qed.

(* What a level spans. *)
Lemma spans_range c k x : spans c k x = true -> x < c + size k * ticks k.
Proof.
  unfold spans. rewrite size_ticks. pose proof (floor_range (S k) c).
  destruct (Z.eqb_spec turns 1) as [->|]; intros E; apply Z.ltb_lt in E; lia.
Qed.

Lemma spans_not c k x : spans c k x = false -> ticks (S k) <= x - c.
Proof.
  unfold spans. pose proof (floor_range (S k) c). pose proof (ticks_pos (S k)).
  destruct turns_range as [E|E]; rewrite E; cbn -[ticks Z.mul];
    intros F; apply Z.ltb_ge in F; lia.
Qed.

Lemma spans_not_turns c k x :
  spans c k x = false -> floor (S k) c + turns * ticks (S k) <= x.
Proof.
  unfold spans. pose proof (floor_range (S k) c).
  destruct turns_range as [E|E]; rewrite E; cbn -[ticks Z.mul];
    intros F; apply Z.ltb_ge in F; lia.
Qed.

Lemma spans_within c k x :
  x < floor (S k) c + turns * ticks (S k) -> (turns = 1 -> floor (S k) c = c) ->
  spans c k x = true.
Proof.
  unfold spans. intros H1 H2.
  destruct turns_range as [E|E]; rewrite E in *; cbn -[ticks Z.mul];
    apply Z.ltb_lt; lia.
Qed.

Lemma spans_later c c' k x :
  c <= c' -> spans c k x = true -> spans c' k x = true.
Proof.
  unfold spans. intros H. pose proof (floor_mono (S k) c c' H).
  destruct (turns =? 1); rewrite !Z.ltb_lt; lia.
Qed.

(* The lowest level that spans it is chosen, if one does. *)
Lemma level_for_spec c x n : forall l, (l + n = levels)%nat ->
  let k := level_for c x l n in
  (l <= k <= levels)%nat /\
  (forall j, (l <= j < k)%nat -> spans c j x = false) /\
  ((k < levels)%nat -> spans c k x = true).
Proof.
  induction n as [|n IH]; intros l Hl; cbn [level_for].
  - repeat split; intros; lia.
  - destruct (spans c l x) eqn:E.
    + repeat split; intros; try easy; lia.
    + destruct (IH (S l)) as (H1 & H2 & H3); [lia|]. cbv zeta in *.
      repeat split; try lia; [|easy]. intros j Hj.
      destruct (Nat.eq_dec j l) as [->|]; [easy|]. apply H2. lia.
Qed.

(* Where it is put. *)
Lemma place_of_spec w x l :
  clk w <= x -> (l <= levels)%nat ->
  let (s, r) := place_of w x l in
  let k := fst s in
  (l <= k <= levels)%nat /\
  (forall j, (l <= j < k)%nat -> spans (clk w) j x = false) /\
  (((k < levels)%nat /\ snd s = (x / ticks k) mod size k /\
    r = x - floor k x /\ spans (clk w) k x = true) \/
   (s = later w l /\ r = x)).
Proof.
  intros Hx Hl. unfold place_of.
  pose proof (level_for_spec (clk w) x (levels - l) l) as H.
  cbv zeta in H. specialize (H ltac:(lia)).
  set (k := level_for _ _ _ _) in *. destruct H as (H1 & H2 & H3).
  destruct (Nat.ltb_spec k levels) as [E|E].
  2: { assert (F : fst (later w l) = levels)
         by (unfold later; now destruct (Nat.eqb l levels)).
       cbv beta iota zeta. rewrite F.
       assert (k = levels) by lia. repeat split; try lia; [|auto].
       intros. apply H2. lia. }
  specialize (H3 E). cbv zeta. cbn [fst snd]. repeat split; try easy; try lia.
  left. pose proof (spans_range _ _ _ H3) as G.
  pose proof (ticks_pos k). pose proof (size_pos k).
  set (c := clk w) in *. unfold moved, hand. fold c.
  assert (Q : (x - floor k c) / ticks k = x / ticks k - c / ticks k).
  { unfold floor. replace (x - ticks k * (c / ticks k))
      with (x + - (c / ticks k) * ticks k) by ring.
    rewrite Z.div_add by lia. lia. }
  rewrite Q.
  assert (Q1 : c / ticks k <= x / ticks k) by (apply Z.div_le_mono; lia).
  assert (Q2 : x / ticks k <= c / ticks k + size k).
  { replace (c / ticks k + size k) with ((c + size k * ticks k) / ticks k)
      by (apply Z.div_add; lia). apply Z.div_le_mono; lia. }
  repeat split; try easy.
  2: { unfold floor. ring. }
  unfold wrap.
  pose proof (Z.mod_pos_bound (c / ticks k) (size k)).
  pose proof (Z.div_mod (c / ticks k) (size k)).
  set (h := (c / ticks k) mod size k) in *.
  set (p := c / ticks k / size k) in *.
  destruct (Z.ltb_spec (h + (x / ticks k - c / ticks k)) (size k)).
  - apply Z.mod_unique with p; lia.
  - apply Z.mod_unique with (p + 1); lia.
Qed.

End Arith.
