(* SPDX-License-Identifier: MIT *)
(* extract.v - the model as a program, for lockstep.ml *)
From Coq Require Import ZArith Extraction.
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZInt.
From jif Require Import model ends theorem.

(* Divisors are positive. *)
Extract Constant Z.div =>
  "fun a b -> let q = a / b in if a mod b < 0 then q - 1 else q".
Extract Constant Z.modulo =>
  "fun a b -> let r = a mod b in if r < 0 then r + b else r".

Extraction "wheel.ml" do init at_rest next_stop plain spread.
