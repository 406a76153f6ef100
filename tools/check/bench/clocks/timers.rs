// SPDX-License-Identifier: MIT

// tools/check/bench/clocks/timers.rs - tokio's timers: what load.c has
use std::future::{poll_fn, Future};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::runtime::Builder;
use tokio::time::sleep;

const TIMERS: u32 = 1000;
const WARM: usize = 20000;
const END: usize = 100000;

struct Load {
    random: u32,
    late: Vec<i64>,
    cpu: f64,
}

// Of the process, in microseconds: the kernel counts in hundredths.
fn cpu() -> f64 {
    let said = std::fs::read_to_string("/proc/self/stat").unwrap();
    let mut used = said.split(' ').skip(13).map(|n| n.parse::<f64>().unwrap());
    (used.next().unwrap() + used.next().unwrap()) * 1e4
}

async fn timer(load: Arc<Mutex<Load>>) {
    loop {
        let ms = {
            let mut load = load.lock().unwrap();
            load.random = load.random.wrapping_mul(1664525).wrapping_add(1013904223);
            Duration::from_millis((1 + (load.random >> 16) % 100).into())
        };
        let due = Instant::now() + ms;
        sleep(ms).await;
        let now = Instant::now();
        let late = now.saturating_duration_since(due).as_nanos() as i64
            - due.saturating_duration_since(now).as_nanos() as i64;
        let mut load = load.lock().unwrap();
        match load.late.len() {
            END => return,
            WARM => load.cpu = cpu(),
            _ => (),
        }
        load.late.push(late);
        if load.late.len() == END {
            load.cpu = cpu() - load.cpu;
        }
    }
}

async fn lateness() {
    let load = Load { random: 1, late: Vec::new(), cpu: 0.0 };
    let load = Arc::new(Mutex::new(load));
    let timers: Vec<_> = (0..TIMERS).map(|_| tokio::spawn(timer(load.clone()))).collect();
    for timer in timers {
        timer.await.unwrap();
    }
    let load = load.lock().unwrap();
    let mut late = load.late[WARM..].to_vec();
    late.sort();
    let n = late.len();
    let early = late.iter().filter(|ns| **ns < 0).count();
    print!("{} {} {}", late[n / 2] / 1000, late[n / 100 * 99] / 1000, early);
    print!(" {:.1}", load.cpu / n as f64);
}

async fn pairs(threads: u32) {
    const EACH: u64 = 1000000;
    let begin = Instant::now();
    let all = (0..threads).map(|_| {
        tokio::spawn(async {
            for i in 0..EACH {
                let mut far = Box::pin(sleep(Duration::from_millis(1000000 + i % 4096)));
                poll_fn(|context| {
                    assert!(far.as_mut().poll(context).is_pending());
                    Poll::Ready(())
                })
                .await;
            }
        })
    });
    for each in all.collect::<Vec<_>>() {
        each.await.unwrap();
    }
    print!(" {:.1}", f64::from(threads) * EACH as f64 / 1e6 / begin.elapsed().as_secs_f64());
}

fn main() {
    Builder::new_multi_thread().enable_time().build().unwrap().block_on(lateness());
    for threads in [1, 2, 4] {
        let runtime = Builder::new_multi_thread().worker_threads(threads).enable_time().build();
        runtime.unwrap().block_on(pairs(threads as u32));
    }
    println!();
}
