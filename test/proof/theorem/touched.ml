(* SPDX-License-Identifier: MIT *)
(* touched.ml - what the model has changed since lockstep.ml looked *)
let slots : (int * int) list ref = ref []
let ids : int list ref = ref []
