// SPDX-License-Identifier: MIT

// tools/check/bench/clocks/Timers.java - the JDK's executor and Netty's wheel of
// 1 ms: what load.c has
import io.netty.util.HashedWheelTimer;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

final class Timers {
	interface Clock {
		Runnable arm(Runnable function, int ms);	// the result cancels
	}

	static final int TIMERS = 1000, WARM = 20000, END = 100000;
	static final long[] late = new long[END];
	static final CountDownLatch over = new CountDownLatch(1);
	static int random = 1, expired;
	static long cpu;

	static long cpu() {
		return ((com.sun.management.OperatingSystemMXBean)
			ManagementFactory.getOperatingSystemMXBean())
				.getProcessCpuTime();
	}

	static void arm(Clock clock) {
		random = random * 1664525 + 1013904223;
		int ms = 1 + (random >>> 16) % 100;
		long due = System.nanoTime() + ms * 1000000L;
		clock.arm(() -> expired(clock, due), ms);
	}

	static synchronized void expired(Clock clock, long due) {
		if (expired == END)
			return;
		if (expired == WARM)
			cpu = cpu();
		late[expired++] = System.nanoTime() - due;
		arm(clock);
		if (expired < END)
			return;
		cpu = cpu() - cpu;
		over.countDown();
	}

	static void lateness(Clock clock) throws InterruptedException {
		synchronized (Timers.class) {
			for (int i = 0; i < TIMERS; i++)
				arm(clock);
		}
		over.await();
		long[] sorted = Arrays.copyOfRange(late, WARM, END);
		Arrays.sort(sorted);
		System.out.printf("%d %d %d %.1f",
			sorted[sorted.length / 2] / 1000,
			sorted[sorted.length / 100 * 99] / 1000,
			Arrays.stream(sorted).filter(ns -> ns < 0).count(),
			cpu / 1e3 / sorted.length);
	}

	static double pairs(Clock clock, int threads) throws InterruptedException {
		final int each = 1000000;
		Thread[] all = new Thread[threads];
		long begin = System.nanoTime();
		for (int t = 0; t < threads; t++) {
			all[t] = new Thread(() -> {
				for (int i = 0; i < each; i++)
					clock.arm(() -> System.exit(1), 1000000 + i % 4096)
						.run();
			});
			all[t].start();
		}
		for (Thread thread : all)
			thread.join();
		return threads * each / 1e6 / ((System.nanoTime() - begin) / 1e9);
	}

	public static void main(String[] args) throws InterruptedException {
		ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
		HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);
		pool.setRemoveOnCancelPolicy(true);
		Clock clock = args[0].equals("netty") ? (function, ms) -> {
			var timeout = wheel.newTimeout(unused -> function.run(), ms,
				TimeUnit.MILLISECONDS);
			return timeout::cancel;
		} : (function, ms) -> {
			var task = pool.schedule(function, ms, TimeUnit.MILLISECONDS);
			return () -> task.cancel(false);
		};
		lateness(clock);
		pairs(clock, 1);
		for (int threads = 1; threads <= 4; threads *= 2)
			System.out.printf(" %.1f", pairs(clock, threads));
		System.out.println();
		System.exit(0);
	}
}
