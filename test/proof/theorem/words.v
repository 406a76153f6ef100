(* SPDX-License-Identifier: MIT *)
(*
 * words.v - times of 32 bits, as lib/ has them, give what the model gives
 *
 * The model's ticks have no bound. Those of lib/ are words, which wrap, and of
 * two, the sign of a difference tells which is later. Here is each expression
 * of lib/wheel.c, lib/levels.h and lib/levels_spread.h that computes with
 * times, as the C does it, from words and hands alone; and that on every wheel that is used
 * within its reach, it decides as the model does, and gives the word of what
 * the model has. What is noted of the last list counts while that has entries:
 * else, the hand of the weeks may move on past empty lists, without effect.
 *)
From Coq Require Import ZArith List Bool Lia.
From jif Require Import model arith invariant stop exact order ends.
Import ListNotations.
Open Scope Z_scope.

(* uint32_t, int32_t, and what the sign of a difference tells *)
Definition word (z : Z) : Z := z mod 4294967296.
Definition signed (z : Z) : Z :=
  if word z <? 2147483648 then word z else word z - 4294967296.
Definition before (a b : Z) : bool := signed (a - b) <? 0.

(* JIF_DELAY_MAX *)
Definition reach : Z := 2147483647.

Section Words.
Context {R : rings}.

(* The members of struct jif_wheel and struct jif_timer that have times. *)
Record words := {
  now : Z;
  moved_at : nat -> Z;
  hands : nat -> Z;
  due_far : Z;
  rest_of : id -> Z
}.

Definition words_of (w : wheel) : words :=
  {| now := word (clk w);
     moved_at := fun k => word (moved w k);
     hands := hand w;
     due_far := word (far_due w);
     rest_of := fun t => word (remaining w t) |}.

(* not_past() *)
Definition not_past_32 (v : words) (x : Z) : Z :=
  if 0 <? signed (x - now v) then x else word (now v + 1).

(* spans() *)
Definition spans_32 (v : words) (k : nat) (x : Z) : bool :=
  if turns =? 1 then word (x - now v) <? ticks (S k)
  else word (x - moved_at v (S k)) <? turns * ticks (S k).

(* place(): the level; slot and remaining value, on a level *)
Fixpoint level_for_32 (v : words) (x : Z) (k n : nat) : nat :=
  match n with
  | O => levels
  | S n => if spans_32 v k x then k else level_for_32 v x (S k) n
  end.

Definition slot_32 (v : words) (x : Z) (k : nat) : Z :=
  wrap k (hands v k + word (x - moved_at v k) / ticks k).

Definition rest_32 (v : words) (x : Z) (k : nat) : Z :=
  let d := word (x - moved_at v k) in word (d - d / ticks k * ticks k).

(* expiry_of() *)
Definition expiry_32 (v : words) (t : id) (s : slot) : Z :=
  let (k, i) := s in
  if (k <? levels)%nat then
    let visit := word (moved_at v k + word (i - hands v k) * ticks k) in
    word ((if signed (visit - now v) <? 0
           then word (visit + size k * ticks k) else visit) + rest_of v t)
  else rest_of v t.

(* later_by() *)
Definition later_32 (v : words) (t : id) (s : slot) (x : Z) : Z :=
  word (not_past_32 v x - expiry_32 v t s).

(* lowest_stop() and ticks_to_stop(); with spreading, ticks_to_slot() *)
Definition ticks_to_slot_32 (v : words) (k : nat) (d : Z) : Z :=
  if turns =? 1 then word (word (moved_at v k + d * ticks k) - now v)
  else word ((d - early k) * ticks k - word (now v - moved_at v k)).

(* week_stop(); with spreading, ticks_to_week() *)

Definition ticks_to_week_32 (v : words) : Z :=
  let begin := moved_at v levels in
  let weeks := word (due_far v - begin) / week * week in
  let left := word (due_far v - now v) in
  if turns =? 1 then
    word (word (begin + if weeks =? 0 then week else weeks) - now v)
  else if turns * week <? left then left - turns * week
  else word (begin + week - now v).

(* take_step(), for a week that begins then *)
Definition week_counts_32 (v : words) (begin : Z) : bool :=
  word (due_far v - begin) <? turns * week.

(*
 * take_step(): a hand and when it moved, from what is left of a turn of the
 * ring above, and from whether the hand above is at an odd slot
 *)
Fixpoint hands_32 (c rest : Z) (odd : bool) (n k : nat) : Z * Z :=
  match n with
  | O => (0, c)
  | S n =>
    let s := rest / ticks n in
    let hand := (if odd then (turns - 1) * slots n else 0) + s in
    let rest := rest - s * ticks n in
    if Nat.eqb n k then (hand, word (c - rest))
    else hands_32 c rest (Z.odd hand) n k
  end.

(* No time that anybody gives is further than the reach. *)
Definition near (w : wheel) (x : Z) : Prop :=
  clk w - reach <= x <= clk w + reach.

Definition fair (w : wheel) (o : op) : Prop :=
  match o with
  | Add _ x | Mod _ x | Reduce _ x | Postpone _ x => near w x
  | Del _ | Step _ => True
  end.

Inductive used : system -> Prop :=
| used_first now : used (init now)
| used_next s o : used s -> fair (fst s) o -> used (do s o).

Lemma used_reachable s : used s -> reachable s.
Proof. induction 1; now constructor. Qed.

(* Time does not go back. *)
Lemma step_clk w A most e w' :
  inv w A -> step w most = (e, w') -> clk w <= clk w'.
Proof.
  intros I E. pose proof (step_closer w A most e w' I E) as H.
  unfold closer in H. destruct (due w); lia.
Qed.

(* So nothing is ever further than the reach. *)
Definition within (s : system) : Prop :=
  forall t x n late, asked (snd s) t = Some (x, n, late) ->
  x <= clk (fst s) + reach.

Lemma not_past_near w x : near w x -> not_past w x <= clk w + reach.
Proof. unfold near, not_past, reach. destruct (Z.ltb_spec (clk w) x); lia. Qed.

Lemma add_within s t x : within s -> near (fst s) x -> within (do_add s t x).
Proof.
  destruct s as [w h]. intros H N. unfold do_add. cbn [fst] in N.
  destruct (slot_of w t); [easy|]. unfold within. cbn [fst snd asked].
  assert (C : clk (add w t x) = clk w)
    by (unfold add, place; now destruct (place_of _ _ _)).
  rewrite C. intros t' x' n late E. destruct (Nat.eqb t t').
  - injection E as <- _ _. now apply not_past_near.
  - now apply H in E.
Qed.

Lemma del_within s t : within s -> within (do_del s t).
Proof.
  destruct s as [w h]. intros H. unfold do_del.
  destruct (slot_of w t); [|easy]. unfold within. cbn [fst snd asked].
  destruct (dequeue_clk w t) as (-> & _). intros t' x n late E.
  destruct (Nat.eqb t t'); [easy|]. now apply H in E.
Qed.

Lemma del_clk s t : clk (fst (do_del s t)) = clk (fst s).
Proof.
  destruct s as [w h]. unfold do_del. destruct (slot_of w t); [|easy].
  now destruct (dequeue_clk w t).
Qed.

Lemma mod_within s t x : within s -> near (fst s) x -> within (do_mod s t x).
Proof.
  intros H N. apply add_within; [now apply del_within|].
  unfold near. now rewrite del_clk.
Qed.

Lemma sooner_within s t x late :
  within s -> near (fst s) x -> within (mod_if_sooner s t x late).
Proof.
  intros H N. unfold mod_if_sooner. destruct s as [w h].
  destruct (slot_of w t); [|now apply add_within].
  destruct (_ <? 0); [now apply mod_within|]. destruct late; [|easy].
  unfold within. cbn [fst snd asked clk postpone]. cbn [fst] in N.
  intros t' x' n l E. destruct (Nat.eqb t t'); [|now apply H in E].
  destruct (asked h t') as [[[? ?] ?]|]; [|easy]. injection E as <- _ _.
  now apply not_past_near.
Qed.

Lemma step_within s most : sound s -> within s -> within (do_step s most).
Proof.
  destruct s as [w h]. intros I H. unfold do_step.
  destruct (step w most) as [e w'] eqn:E. unfold within in *.
  cbn [fst snd] in *. pose proof (step_clk w _ _ _ _ I E).
  destruct e as [t|]; cbn [fst snd asked]; intros t' x n late Q;
    [destruct (Nat.eqb t t'); [easy|]|]; apply H in Q; lia.
Qed.

Lemma used_within s : used s -> within s.
Proof.
  induction 1 as [|s o U IH F]; [easy|].
  destruct o; cbn [do fair] in *; auto using add_within, del_within, mod_within,
    sooner_within, step_within, reachable_sound, used_reachable.
Qed.

(* Arithmetic *)

Lemma word_of z : 0 <= z < 4294967296 -> word z = z.
Proof. apply Z.mod_small. Qed.

Lemma word_add a b : word (word a + b) = word (a + b).
Proof. apply Zplus_mod_idemp_l. Qed.

Lemma word_add_r a b : word (a + word b) = word (a + b).
Proof. apply Zplus_mod_idemp_r. Qed.

Lemma word_sub a b : word (word a - b) = word (a - b).
Proof. apply Zminus_mod_idemp_l. Qed.

Lemma word_sub_r a b : word (a - word b) = word (a - b).
Proof. apply Zminus_mod_idemp_r. Qed.

Lemma word_mul a b : word (word a * b) = word (a * b).
Proof. apply Zmult_mod_idemp_l. Qed.

Lemma signed_same a b : word a = word b -> signed a = signed b.
Proof. unfold signed. now intros ->. Qed.

(* The sign of a difference of less than half of all words is right. *)
Lemma signed_of z : -2147483648 <= z < 2147483648 -> signed z = z.
Proof.
  intros H. unfold signed. destruct (Z.ltb_spec z 0).
  - assert (E : word z = z + 4294967296)
      by (symmetry; apply Z.mod_unique with (-1); lia).
    rewrite E. destruct (Z.ltb_spec (z + 4294967296) 2147483648); lia.
  - rewrite word_of by lia. destruct (Z.ltb_spec z 2147483648); lia.
Qed.

Lemma signed_words a b :
  -2147483648 <= a - b < 2147483648 -> signed (word a - word b) = a - b.
Proof.
  intros H. rewrite <- (signed_of (a - b)) by easy. apply signed_same.
  now rewrite word_sub, word_sub_r.
Qed.

Lemma word_eq a b : -4294967296 < a - b < 4294967296 ->
  (word a =? word b) = (a =? b).
Proof.
  intros H. destruct (Z.eqb_spec a b) as [->|N]; [apply Z.eqb_refl|].
  apply Z.eqb_neq. intros E. unfold word in E.
  pose proof (Z.div_mod a 4294967296). pose proof (Z.div_mod b 4294967296).
  assert (a / 4294967296 - b / 4294967296 = 0) by nia. lia.
Qed.

(* What the wheel's rings have to leave free of the words. *)
Hypothesis fits : 2 * week <= reach.

Lemma ticks_fit k : (k <= levels)%nat -> ticks k <= week.
Proof. apply ticks_le. Qed.

Lemma turn_fits k : (k < levels)%nat -> size k * ticks k <= reach.
Proof.
  intros K. rewrite size_ticks. pose proof (ticks_fit (S k) K).
  pose proof (ticks_pos (S k)). destruct turns_range; nia.
Qed.

Section Used.
Variables (w : wheel) (h : list event).
Hypothesis U : used (w, h).
Let v := words_of w.

Lemma used_inv : inv w (asked h).
Proof. apply reachable_inv, used_reachable, U. Qed.

Lemma expires_within t s :
  slot_of w t = Some s -> clk w <= expires w s t <= clk w + reach.
Proof.
  intros P. destruct (expires_later _ _ _ _ used_inv P) as [L _].
  split; [easy|]. destruct (i_asked _ _ used_inv _ _ P) as (n & late & E).
  now apply (used_within _ U) in E.
Qed.

Lemma rest_within t k i :
  slot_of w t = Some (k, i) -> (k < levels)%nat -> 0 <= remaining w t <= reach.
Proof.
  intros P K. pose proof (expires_within _ _ P) as E. unfold expires in E.
  apply Nat.ltb_lt in K as K'. cbn [fst snd] in E. rewrite K' in E.
  pose proof (visit_range (clk w) k i).
  destruct (i_rest _ _ used_inv _ _ P) as [Q|Q]; cbn in Q; lia.
Qed.

Lemma not_past_words x :
  near w x -> not_past_32 v (word x) = word (not_past w x).
Proof.
  unfold near, reach, not_past_32, not_past. intros N. cbn [v words_of now].
  rewrite signed_words by lia. rewrite word_add.
  destruct (Z.ltb_spec 0 (x - clk w)), (Z.ltb_spec (clk w) x); lia.
Qed.

Lemma spans_words k x :
  (k < levels)%nat -> clk w <= x <= clk w + reach ->
  spans_32 v k (word x) = spans (clk w) k x.
Proof.
  intros K X. unfold spans_32, spans. cbn [v words_of now moved_at].
  pose proof (floor_range (S k) (clk w)). pose proof (ticks_fit (S k) K).
  unfold moved, reach in *. rewrite !word_sub, !word_sub_r.
  now rewrite !word_of by lia.
Qed.

Lemma level_words x : clk w <= x <= clk w + reach -> forall n k,
  (k + n = levels)%nat -> level_for_32 v (word x) k n = level_for (clk w) x k n.
Proof.
  intros X. induction n as [|n IH]; intros k K; cbn [level_for_32 level_for];
    [easy|]. rewrite spans_words by (auto; lia).
  destruct (spans (clk w) k x); [easy|]. apply IH. lia.
Qed.

(* place(), for what is due at x, not below level l *)
Lemma place_words x l :
  clk w <= x <= clk w + reach -> (l <= levels)%nat ->
  let k := level_for_32 v (word x) l (levels - l) in
  let (s, r) := place_of w x l in
  fst s = k /\
  if (k <? levels)%nat then
    snd s = slot_32 v (word x) k /\ word r = rest_32 v (word x) k
  else s = later w l /\ word r = word x.
Proof.
  intros X L. cbv zeta. rewrite level_words by (auto; lia). unfold place_of.
  set (k := level_for _ _ _ _). destruct (Nat.ltb_spec k levels) as [K|K].
  - cbn [fst snd]. split; [easy|]. unfold slot_32, rest_32.
    cbn [v words_of now moved_at hands]. rewrite word_sub, word_sub_r.
    pose proof (floor_range k (clk w)).
    pose proof (ticks_fit k ltac:(lia)).
    unfold moved, reach in *. now rewrite (word_of (x - _)) by lia.
  - pose proof (level_for_spec (clk w) x (levels - l) l ltac:(lia)) as (Q & _).
    fold k in Q. assert (fst (later w l) = levels)
      by (unfold later; now destruct (Nat.eqb l levels)). repeat split; lia.
Qed.

(* place(), where the list has entries *)
Lemma far_words x t :
  slot_of w t = Some (far w) -> clk w <= x <= clk w + reach ->
  before (word x) (due_far v) = (x <? far_due w).
Proof.
  intros P X. unfold before. cbn [v words_of due_far].
  pose proof (i_far _ _ used_inv _ P). pose proof (expires_within _ _ P) as E.
  unfold expires in E. change (fst (far w)) with levels in E.
  rewrite Nat.ltb_irrefl in E. pose proof (floor_range levels (clk w)).
  fold week in *. assert (week <= turns * week) by (destruct turns_range; nia).
  unfold reach in *. rewrite signed_words by lia.
  destruct (Z.ltb_spec (x - far_due w) 0), (Z.ltb_spec x (far_due w)); lia.
Qed.

Lemma expiry_words t s :
  slot_of w t = Some s -> expiry_32 v t s = word (expiry_of w t).
Proof.
  intros P. unfold expiry_32, expiry_of. rewrite P. destruct s as [k i].
  cbn [v words_of now moved_at hands rest_of].
  destruct (Nat.ltb_spec k levels) as [K|]; [|easy].
  destruct (i_ring _ _ used_inv _ _ _ P) as [[_ H]|[H _]]; [|lia].
  set (visit := moved w k + (i - hand w k) * ticks k).
  assert (E : word (word (moved w k) + word (i - hand w k) * ticks k) =
              word visit)
    by now rewrite word_add, <- word_add_r, word_mul, word_add_r.
  rewrite E. clear E.
  assert (V : -2147483648 <= visit - clk w < 2147483648).
  { subst visit. pose proof (turn_fits k K). pose proof (ticks_pos k).
    pose proof (floor_range k (clk w)). unfold moved, hand, reach in *.
    pose proof (Z.mod_pos_bound (clk w / ticks k) (size k) (size_pos k)).
    set (q := (clk w / ticks k) mod size k) in *.
    assert (- (size k - 1) * ticks k <= (i - q) * ticks k <=
            (size k - 1) * ticks k) by nia. lia. }
  rewrite signed_words by easy.
  destruct (Z.ltb_spec (visit - clk w) 0), (Z.ltb_spec visit (clk w)); try lia.
  - rewrite (word_add visit). now rewrite word_add, word_add_r.
  - now rewrite word_add, word_add_r.
Qed.

(* later_by(): whether it is sooner, and else how much it adds *)
Lemma later_words t s x :
  slot_of w t = Some s -> near w x ->
  let later := not_past w x - expiry_of w t in
  (reach <? later_32 v t s (word x)) = (later <? 0) /\
  (0 <= later ->
   word (rest_of v t + later_32 v t s (word x)) = word (remaining w t + later)).
Proof.
  intros P N. cbv zeta. unfold later_32.
  rewrite not_past_words, (expiry_words _ _ P) by easy.
  rewrite word_sub, word_sub_r. split.
  - pose proof (expires_within _ _ P) as E.
    rewrite <- (expiry_of_expires _ _ _ _ used_inv P) in E.
    pose proof (not_past_near _ _ N). pose proof (not_past_after w x).
    unfold reach in *.
    destruct (Z.ltb_spec (not_past w x - expiry_of w t) 0) as [L|L].
    + replace (word _) with (not_past w x - expiry_of w t + 4294967296)
        by (apply Z.mod_unique with (-1); lia).
      apply Z.ltb_lt. lia.
    + rewrite word_of by lia. apply Z.ltb_ge. lia.
  - intros _. cbn [v words_of rest_of]. now rewrite word_add, word_add_r.
Qed.

(* run_slot(): whether it expires, and else where it goes *)
Lemma rest_words t k i :
  slot_of w t = Some (k, i) -> (k < levels)%nat ->
  (rest_of v t =? 0) = (remaining w t =? 0).
Proof.
  intros P K. pose proof (rest_within _ _ _ P K). cbn [v words_of rest_of].
  unfold reach in *. now rewrite word_of by lia.
Qed.

Lemma down_words t : word (rest_of v t + now v) = word (remaining w t + clk w).
Proof. cbn [v words_of rest_of now]. now rewrite word_add, word_add_r. Qed.

(* cascade(), with spreading: whether it stays far *)
Lemma below_words t :
  slot_of w t = Some (taken w) ->
  (week <=? word (rest_of v t - moved_at v levels)) =
  (week <=? remaining w t - moved w levels).
Proof.
  intros P. cbn [v words_of rest_of moved_at]. rewrite word_sub, word_sub_r.
  pose proof (expires_within _ _ P) as E. unfold expires in E.
  change (fst (taken w)) with levels in E. rewrite Nat.ltb_irrefl in E.
  pose proof (floor_range levels (clk w)). fold week in *.
  unfold moved, reach in *. now rewrite word_of by lia.
Qed.

(* For a slot that has to be stopped for *)
Lemma slot_words k d :
  (k < levels)%nat -> early k < d <= size k ->
  let stop := (d - early k) * ticks k - (clk w - moved w k) in
  ticks_to_slot_32 v k d = stop /\ 0 < stop <= reach.
Proof.
  intros K D. cbv zeta. unfold ticks_to_slot_32.
  cbn [v words_of now moved_at].
  pose proof (turn_fits k K). pose proof (floor_range k (clk w)).
  pose proof (ticks_pos k).
  assert (0 <= early k) by (unfold early; now destruct (_ && _)).
  assert (ticks k <= (d - early k) * ticks k <= size k * ticks k) by nia.
  unfold moved, reach in *. destruct (Z.eqb_spec turns 1) as [T|T].
  - assert (early k = 0) as Z0 by (unfold early; now rewrite T).
    rewrite Z0, Z.sub_0_r in *.
    rewrite word_sub, word_sub_r, <- Z.add_sub_assoc, word_add.
    rewrite word_of by lia. lia.
  - rewrite (word_sub (clk w)), (word_sub_r (clk w)), word_sub_r.
    rewrite word_of by lia. lia.
Qed.

Lemma far_range t :
  slot_of w t = Some (far w) ->
  moved w levels + turns * week <= far_due w <= clk w + reach.
Proof.
  intros P. pose proof (i_far _ _ used_inv _ P).
  pose proof (expires_within _ _ P) as E. unfold expires in E.
  change (fst (far w)) with levels in E. rewrite Nat.ltb_irrefl in E.
  unfold moved. lia.
Qed.

(* week_stop() *)
Lemma week_words t :
  slot_of w t = Some (far w) -> ticks_to_week_32 v = ticks_to_week w /\
    0 < ticks_to_week w <= reach.
Proof.
  intros P. pose proof (far_range _ P). unfold ticks_to_week_32, ticks_to_week.
  cbn [v words_of now moved_at due_far].
  pose proof (floor_range levels (clk w)) as F.
  pose proof (floor_range levels (far_due w)) as G.
  pose proof (ticks_pos levels). fold week in *.
  assert (week <= turns * week) by (destruct turns_range; nia).
  unfold reach in *. destruct (Z.eqb_spec turns 1) as [T|T].
  - assert (E : (far_due w - moved w levels) / week * week =
                floor levels (far_due w) - moved w levels).
    { unfold moved, floor. fold week. set (q := clk w / week).
      replace (far_due w - week * q) with (far_due w + - q * week) by ring.
      rewrite Z.div_add by lia. ring. }
    assert (L : moved w levels + week <= floor levels (far_due w)).
    { apply gap; [apply ticks_pos|apply floor_divide|apply floor_divide|].
      unfold moved in *. rewrite T in *. lia. }
    rewrite (word_sub (far_due w)), (word_sub_r (far_due w)).
    rewrite (word_of (far_due w - _)) by (unfold moved in *; lia).
    rewrite E. destruct (Z.eqb_spec (floor levels (far_due w) -
      moved w levels) 0); [lia|].
    rewrite word_sub, word_sub_r, <- Z.add_sub_assoc, word_add.
    rewrite word_of by (unfold moved in *; lia). unfold moved in *. lia.
  - rewrite (word_sub (far_due w)), (word_sub_r (far_due w) (clk w)).
    rewrite <- (word_sub (word _ + _)), word_add, word_sub, word_sub_r.
    unfold moved in *. rewrite !word_of by lia.
    destruct (Z.ltb_spec (turns * week) (far_due w - clk w)); lia.
Qed.

(* take_step(), for each week that has begun by c *)
Lemma begin_words t c begin :
  slot_of w t = Some (far w) -> quiet_until w c ->
  clk w < c <= clk w + reach -> (week | begin) ->
  moved w levels < begin <= floor levels c ->
  week_counts_32 v (word begin) = (far_due w - begin <? turns * week) /\
  (begin < floor levels c -> week_counts_32 v (word begin) = false).
Proof.
  intros P [_ Q] C D B. pose proof (far_range _ P) as F.
  unfold week_counts_32. cbn [v words_of due_far].
  rewrite word_sub, word_sub_r.
  pose proof (floor_range levels (clk w)). pose proof (floor_range levels c).
  assert (E : moved w levels + week <= begin)
    by (apply gap; [apply ticks_pos|apply floor_divide|exact D|apply B]).
  fold week in *. assert (week <= turns * week) by (destruct turns_range; nia).
  unfold moved, reach in *.
  destruct (Q t _ P) as [Q'|[[Q' _]|[_ Q']]]; [lia| |].
  - rewrite word_of by lia. split; [easy|lia].
  - assert (G : begin < floor levels c -> begin + week <= floor levels c)
      by (intros L; apply gap; [apply ticks_pos|exact D|apply floor_divide|
        exact L]).
    destruct (floor_pred levels c) as [FP|[_ FP]]; fold week in *;
      rewrite word_of by nia; split; try easy; intros L; apply Z.ltb_ge; nia.
Qed.

End Used.

(* advance() *)
Lemma clock_words w n : word (now (words_of w) + n) = word (clk w + n).
Proof. apply word_add. Qed.

(* jif_wheel_run_most(): how far it is to the end of a run *)
Lemma target_words w target :
  clk w <= target <= clk w + reach ->
  word (word target - now (words_of w)) = target - clk w.
Proof.
  intros H. cbn [words_of now]. rewrite word_sub, word_sub_r.
  unfold reach in H. apply word_of. lia.
Qed.

(* take_step(): whether a turn is over *)
Lemma turn_words w c k :
  (k <= levels)%nat -> clk w <= c <= clk w + reach ->
  (word (word c - moved_at (words_of w) k) <? ticks k) =
  (floor k c =? moved w k).
Proof.
  intros K C. cbn [words_of moved_at]. rewrite word_sub, word_sub_r.
  pose proof (ticks_fit k K). pose proof (floor_range k (clk w)).
  pose proof (floor_range k c).
  pose proof (floor_mono k (clk w) c).
  unfold moved, reach in *. rewrite word_of by lia.
  destruct (Z.eqb_spec (floor k c) (floor k (clk w))) as [E|E]; [lia|].
  apply Z.ltb_ge. destruct (Z.le_gt_cases (ticks k) (c - floor k (clk w)))
    as [|L]; [easy|]. destruct E. apply floor_unique; [apply floor_divide|lia].
Qed.

Lemma odd_hand c k :
  turns = 2 -> Z.odd ((c / ticks k) mod size k) = Z.odd (c / ticks k).
Proof.
  intros T. unfold size. rewrite T. pose proof (slots_pos k).
  rewrite Z.rem_mul_r, Z.odd_add_mul_2 by lia. rewrite Zmod_odd.
  now destruct (Z.odd (c / ticks k)).
Qed.

(* take_step(): where they are then, from the highest one that moves down *)
Lemma hands_words c k : forall n odd,
  (k < n <= levels)%nat -> (turns = 2 -> odd = Z.odd (c / ticks n)) ->
  hands_32 (word c) (c - floor n c) odd n k =
  ((c / ticks k) mod size k, word (floor k c)).
Proof.
  induction n as [|n IH]; intros odd K O; [lia|]. cbn [hands_32].
  pose proof (ticks_pos n) as TP. pose proof (slots_pos n) as SP.
  assert (Q : c / ticks (S n) = c / ticks n / slots n)
    by (cbn [ticks]; now rewrite Z.div_div by lia).
  assert (S1 : (c - floor (S n) c) / ticks n = (c / ticks n) mod slots n).
  { unfold floor. rewrite Q. cbn [ticks]. rewrite Z.mod_eq by lia.
    replace (c - ticks n * slots n * (c / ticks n / slots n)) with
      (c + - (slots n * (c / ticks n / slots n)) * ticks n) by ring.
    rewrite Z.div_add by lia. ring. }
  assert (H1 : (if odd then (turns - 1) * slots n else 0) +
    (c - floor (S n) c) / ticks n = (c / ticks n) mod size n).
  { rewrite S1. unfold size. destruct turns_range as [T|T].
    - rewrite T, Z.mul_1_l. now destruct odd.
    - rewrite O, Q, T, (Z.mul_comm 2), Z.rem_mul_r, Zmod_odd by lia.
      destruct (Z.odd (_ / slots n)); ring. }
  assert (R1 : c - floor (S n) c - (c - floor (S n) c) / ticks n * ticks n =
    c - floor n c).
  { rewrite S1, Z.mod_eq, <- Q by lia. unfold floor. cbn [ticks]. ring. }
  rewrite H1, R1. destruct (Nat.eqb_spec n k) as [->|N].
  - f_equal. rewrite word_sub. f_equal. ring.
  - apply IH; [lia|]. intros T. now apply odd_hand.
Qed.

(* take_step(): which levels are due *)
Lemma due_words c k :
  (k <= levels)%nat -> (word (floor k c) =? word c) = (floor k c =? c).
Proof.
  intros K. pose proof (ticks_fit k K). pose proof (floor_range k c).
  unfold reach in *. apply word_eq. lia.
Qed.

End Words.
