(* SPDX-License-Identifier: MIT *)
(*
 * lockstep.ml - random calls of the model, and what it does, for lockstep.c
 *
 * usage: lockstep OPERATIONS MOVES: with spreading, if MOVES is not 0
 *)
open Wheel

let operations = int_of_string Sys.argv.(1)
let moves = int_of_string Sys.argv.(2)
let rings = if moves > 0 then spread moves else plain
let timers = 40
let base = 0x100000000 - 600000
let in_c x = (x + base) land 0xffffffff

(* The same wheel, with tables for what grew with each update. *)
let tabulate w =
  let sizes = [| 60; 60; 24; 7; 1 |] in
  let lists =
    Array.init 5 (fun k ->
        Array.init
          ((sizes.(k) * rings.turns) + if k = 4 then 1 else 0)
          (fun i -> w.list_of (k, i)))
  in
  let slots = Array.init timers w.slot_of in
  let rests = Array.init timers w.remaining in
  {
    w with
    list_of = (fun (k, i) -> lists.(k).(i));
    slot_of = (fun t -> slots.(t));
    remaining = (fun t -> rests.(t));
  }

let call op w =
  let w, h = do0 rings (w, []) op in
  (tabulate w, h)

(* What callbacks do: most nothing; some arm themselves or delete another. *)
let callback w t =
  match t mod 4 with
  | 0 when t < 20 -> fst (call (Add (t, w.clk + 86399 + (t * t * 20003))) w)
  | 1 -> fst (call (Del (t + 1)) w)
  | _ -> w

let rec run w target ran =
  if at_rest rings w target then (w, List.rev ran)
  else
    let c = w.clk in
    match call (Step (target - c)) w with
    | w, Ran (t, _) :: _ -> run (callback w t) target ((t, c) :: ran)
    | w, _ -> run w target ran

let edges =
  [| 1; 2; 59; 60; 61; 3599; 3600; 3601; 86399; 86400; 604799; 604800;
     604801; 1209600; 0x7fffffff |]

let delay () =
  match Random.int 8 with
  | 0 -> edges.(Random.int (Array.length edges))
  | 1 | 2 -> Random.int 130
  | 3 -> Random.int 8000
  | 4 -> Random.int 180000
  | 5 -> Random.int 2000000
  | 6 -> -Random.int 100
  | _ -> Random.full_int 0x7fffffff

let distance () =
  match Random.int 12 with
  | 0 | 1 | 2 | 3 -> 1
  | 4 | 5 -> Random.int 130
  | 6 | 7 -> Random.int 4000
  | 8 | 9 -> Random.int 90000
  | 10 -> Random.int 700000
  | _ -> Random.int 5000000

let stop w =
  match next_stop rings w with None -> -1 | Some x -> in_c x

let tell name t x w =
  match w.slot_of t with
  | None -> Printf.printf "%c %d %d -1 0 0 %d\n" name t (in_c x) (stop w)
  | Some (4, i) ->
      let n = rings.turns + 1 in
      Printf.printf "%c %d %d 4 %d %d %d\n" name t (in_c x)
        ((i - w.week_hand + n) mod n)
        (in_c (w.remaining t)) (stop w)
  | Some (k, i) ->
      Printf.printf "%c %d %d %d %d %d %d\n" name t (in_c x) k i
        (w.remaining t) (stop w)

let operation w =
  let t = Random.int timers and x = w.clk + delay () in
  let result name op =
    let w, _ = call op w in
    tell name t x w;
    w
  in
  match Random.int 10 with
  | 0 | 1 | 2 -> result 'A' (Add (t, x))
  | 3 -> result 'D' (Del t)
  | 4 -> result 'M' (Mod (t, x))
  | 5 -> result 'L' (Reduce (t, x))
  | 6 -> result 'P' (Postpone (t, x))
  | _ ->
      let target = w.clk + distance () in
      let w, ran = run w target [] in
      Printf.printf "R %d %d" (in_c target) (List.length ran);
      List.iter (fun (t, c) -> Printf.printf " %d %d" t (in_c c)) ran;
      Printf.printf " %d\n" (stop w);
      w

let () =
  Random.init (moves + 1);
  let w = ref (tabulate (fst (init 0))) in
  for _ = 1 to operations do
    w := operation !w
  done
