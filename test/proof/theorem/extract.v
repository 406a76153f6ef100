(* SPDX-License-Identifier: MIT *)
(* extract.v - the model as a program, for lockstep.ml *)
From Coq Require Import ZArith Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From jif Require Import model ends theorem.

(* Divisors are positive. *)
Extract Constant Z.div =>
  "fun (a : int) b -> let q = a / b in if a < q * b then q - 1 else q".
Extract Constant Z.modulo =>
  "fun (a : int) b -> let r = a mod b in if r < 0 then r + b else r".

(* OCaml's comparisons of anything with anything are slow. *)
Extract Constant Z.eqb => "fun (a : int) b -> a = b".
Extract Constant Z.ltb => "fun (a : int) b -> a < b".
Extract Constant Z.leb => "fun (a : int) b -> a <= b".
Extract Constant Z.to_nat => "fun (a : int) -> if a < 0 then 0 else a".
Extract Constant Nat.eqb => "fun (a : int) b -> a = b".
Extract Constant Nat.ltb => "fun (a : int) b -> a < b".
Extract Constant Nat.eq_dec => "fun (a : int) b -> a = b".

(* These note what they change, which lockstep.ml then puts into tables. *)
Extract Constant set_slot => "fun f (k, (i : int)) v ->
  Touched.slots := (k, i) :: !Touched.slots;
  fun s -> if fst s = (k : int) && snd s = i then v else f s".
Extract Constant set_id => "fun f (t : int) v ->
  Touched.ids := t :: !Touched.ids;
  fun t' -> if t' = t then v else f t'".

Extraction "wheel.ml" do init at_rest reached next_stop plain spread.
