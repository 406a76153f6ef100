(* SPDX-License-Identifier: MIT *)
(*
 * lockstep.ml - random calls of the model, and what it does, for lockstep.c
 *
 * usage: lockstep PART OPERATIONS MOVES [small]: other calls in each part; with
 * spreading, if MOVES is not 0; `small` has the wheel of
 * test/model/explore/small.h
 *)
open Wheel

let part = int_of_string Sys.argv.(1)
let operations = int_of_string Sys.argv.(2)
let moves = int_of_string Sys.argv.(3)
let small = Array.length Sys.argv > 4
let sizes = if small then [| 3; 3; 2; 2; 1 |] else [| 60; 60; 24; 7; 1 |]

let rings =
  let r = if moves > 0 then spread moves else plain in
  { r with slots = (fun k -> sizes.(k)) }

let week = Array.fold_left ( * ) 1 sizes
let timers = if small then 100 else 40
let base = 0x100000000 - (week / 36 * 35)
let in_c x = (x + base) land 0xffffffff

(* The same wheel, with what has changed in tables, and not in functions. *)
let lists =
  Array.init 5 (fun k ->
      Array.make ((sizes.(k) * rings.turns) + if k = 4 then 1 else 0) [])
let slots = Array.make timers None
let rests = Array.make timers 0
let list_of (k, i) = lists.(k).(i)
let slot_of t = slots.(t)
let remaining t = rests.(t)

let tabulate w =
  let l = List.map (fun s -> (s, w.list_of s)) !Touched.slots in
  let t = List.map (fun t -> (t, w.slot_of t, w.remaining t)) !Touched.ids in
  List.iter (fun ((k, i), l) -> lists.(k).(i) <- l) l;
  List.iter (fun (t, s, r) -> slots.(t) <- s; rests.(t) <- r) t;
  Touched.slots := [];
  Touched.ids := [];
  { w with list_of; slot_of; remaining }

let call op w =
  let w, h = do0 rings (w, []) op in
  (tabulate w, h)

(* What callbacks do: most nothing; some arm themselves or delete another. *)
let callback w t =
  match t mod 4 with
  | 0 when t < 20 ->
      let d = (86399 + (t * t * 20003)) mod (9 * week) in
      fst (call (Add (t, w.clk + d)) w)
  | 1 -> fst (call (Del (t + 1)) w)
  | _ -> w

(*
 * What an interrupt does where the C lets it in, unless only the seconds are
 * due, which it may not look at: sometimes, it arms one.
 *)
let windows = ref 0

let window w =
  incr windows;
  let n = !windows in
  if n mod 5 > 0 && w.due < 5 then w
  else
    let d = n * 7919 mod (20 * week) in
    fst (call (Add (n mod timers, w.clk + d)) w)

let rec run w target ran =
  if at_rest rings w target then (w, List.rev ran)
  else
    let c = w.clk in
    match call (Step (target - c)) w with
    | w, Ran (t, _) :: _ -> run (callback w t) target ((t, c) :: ran)
    | v, _ ->
        let moved = v.due > 1 || (v.due = 0 && w.due = 0) in
        run (if moved then window v else v) target ran

let edges =
  [| 1; 2; 59; 60; 61; 3599; 3600; 3601; 86399; 86400; 604799; 604800;
     604801; 1209600; 0x7fffffff |]

let delay () =
  if small then 1 + Random.int (week lsl Random.int 5)
  else match Random.int 8 with
  | 0 -> edges.(Random.int (Array.length edges))
  | 1 | 2 -> Random.int 130
  | 3 -> Random.int 8000
  | 4 -> Random.int 180000
  | 5 -> Random.int 2000000
  | 6 -> -Random.int 100
  | _ -> Random.full_int 0x7fffffff

let distance () =
  if small then 1 + Random.int (if Random.int 60 = 0 then 9 * week else 3)
  else match Random.int 12 with
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

(* Many timers, then few, so that there are weeks in which none is due. *)
let operation w n =
  let t = Random.int (if n / 500 mod 2 = 0 then timers else 4)
  and x = w.clk + delay () in
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
  Random.init (moves + 1 + (256 * part));
  let w = ref (tabulate (fst (init 0))) in
  for n = 1 to operations do
    w := operation !w n
  done
