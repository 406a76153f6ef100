(* SPDX-License-Identifier: MIT *)
(*
 * lockstep.ml - random calls of the model, and what it does, for lockstep.c
 *
 * usage: lockstep PART OPERATIONS MOVES [small | TIMERS DELAY...]: other calls
 * in each part; with spreading, if MOVES is not 0; `small` has the wheel of
 * test/wheel/model/explore/small.h. With TIMERS, so many are armed there with these
 * delays, and each call is made in each state that there is: to closure.
 *)
open Wheel

let part = int_of_string Sys.argv.(1)
let operations = int_of_string Sys.argv.(2)
let moves = int_of_string Sys.argv.(3)
let small = Array.length Sys.argv > 4
let closed = Array.length Sys.argv > 5
let sizes = if small then [| 3; 3; 2; 2; 1 |] else [| 60; 60; 24; 7; 1 |]

let rings =
  let r = if moves > 0 then spread moves else plain in
  { r with slots = (fun k -> sizes.(k)) }

let week = Array.fold_left ( * ) 1 sizes
let timers = if closed then 4 else if small then 100 else 40
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

(* Is there anything to cascade on this tick? *)
let cascading w =
  let rec from d =
    d > 0 && (w.list_of (reached rings w d) <> [] || from (d - 1))
  in
  from (w.due - 1)

(*
 * What an interrupt does where the C lets it in after a move, and before those
 * of a tick, unless only the seconds are due, which it may not look at:
 * sometimes, it arms one.
 *)
let windows = ref 0

let window w =
  incr windows;
  let n = !windows in
  if closed || (n mod 5 > 0 && w.due < 5) then w
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
        let moved = v.clk = w.clk && v.due = w.due && v.due <> 1
        and begins = v.clk > w.clk && cascading v in
        run (if moved || begins then window v else v) target ran

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

let call_and_tell name op t x w =
  let w, _ = call op w in
  tell name t x w;
  w

let run_and_tell ticks w =
  let target = w.clk + ticks in
  let w, ran = run w target [] in
  Printf.printf "R %d %d" (in_c target) (List.length ran);
  List.iter (fun (t, c) -> Printf.printf " %d %d" t (in_c c)) ran;
  Printf.printf " %d\n" (stop w);
  w

let add t x = call_and_tell 'A' (Add (t, x)) t x
let del t x = call_and_tell 'D' (Del t) t x
let modify t x = call_and_tell 'M' (Mod (t, x)) t x
let reduce t x = call_and_tell 'L' (Reduce (t, x)) t x
let postpone t x = call_and_tell 'P' (Postpone (t, x)) t x

(* Many timers, then few, so that there are weeks in which none is due. *)
let operation n w =
  let t = Random.int (if n / 500 mod 2 = 0 then timers else 4)
  and x = w.clk + delay () in
  match Random.int 10 with
  | 0 | 1 | 2 -> add t x w
  | 3 -> del t x w
  | 4 -> modify t x w
  | 5 -> reduce t x w
  | 6 -> postpone t x w
  | _ -> run_and_tell (distance ()) w

(* What there is to call. Callbacks of the timers 2 and 3 do nothing. *)
let calls timers delays =
  let at f t d w = f t (w.clk + d) w in
  let arm t d =
    List.map (fun f -> at f t d) [ add; modify; reduce; postpone ]
  in
  let each t = at del t 0 :: List.concat_map (arm t) delays in
  List.map run_and_tell (1 :: delays)
  @ List.concat_map each (List.init timers (fun i -> i + 2))

(*
 * What tells two states apart: times count from now; lists of the weeks from
 * the hand; and what is known of later weeks is nothing, if nothing waits.
 *)
let key w =
  let n = rings.turns + 1 in
  let far i = lists.(4).((w.week_hand + i) mod n) in
  let waits l = List.map (fun t -> (t, remaining t)) l
  and waits_far l = List.map (fun t -> (t, remaining t - w.clk)) l in
  Marshal.to_string
    ( w.clk mod (rings.turns * week), w.due, w.ahead,
      Array.map (Array.map waits) (Array.sub lists 0 4),
      List.init n (fun i -> waits_far (far i)),
      if far rings.turns = [] then 0 else w.far_due - w.clk )
    [ Marshal.No_sharing ]

let explore w calls =
  let known = Hashtbl.create 100000 and queue = Queue.create () in
  let keep w =
    let k = key w in
    if not (Hashtbl.mem known k) then (
      let i = Hashtbl.length known in
      Hashtbl.add known k ();
      Printf.printf "K %d\n" i;
      Queue.add (i, w, Array.map Array.copy lists, Array.copy slots,
                 Array.copy rests) queue)
  in
  keep w;
  while not (Queue.is_empty queue) do
    let i, w, l, s, r = Queue.pop queue in
    List.iter
      (fun call ->
        Array.iteri (fun k l -> Array.blit l 0 lists.(k) 0 (Array.length l)) l;
        Array.blit s 0 slots 0 timers;
        Array.blit r 0 rests 0 timers;
        Printf.printf "B %d\n" i;
        keep (call w))
      calls
  done;
  Hashtbl.length known

let () =
  let w = ref (tabulate (fst (init 0))) in
  if closed then
    let number i = int_of_string Sys.argv.(i) in
    let n = Array.length Sys.argv - 5 in
    let delays = List.init n (fun i -> number (i + 5)) in
    Printf.printf "E %d\n" (explore !w (calls (number 4) delays))
  else (
    Random.init (moves + 1 + (256 * part));
    for n = 1 to operations do
      w := operation n !w
    done;
    Printf.printf "E %d\n" operations)
