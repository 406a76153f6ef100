// SPDX-License-Identifier: MIT

// tools/check/bench/clocks/timers.go - Go's timers: what load.c has
package main

import (
	"fmt"
	"sort"
	"sync"
	"syscall"
	"time"
)

const timers, warm, end = 1000, 20000, 100000

func cpu() int64 {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return used.Utime.Nano() + used.Stime.Nano()
}

func lateness() {
	var mutex sync.Mutex
	var late []int
	var begin int64
	var arm func()
	random := uint32(1)
	over := make(chan int64, timers)
	arm = func() {
		random = random*1664525 + 1013904223
		delay := time.Duration(1+(random>>16)%100) * time.Millisecond
		due := time.Now().Add(delay)
		time.AfterFunc(delay, func() {
			mutex.Lock()
			defer mutex.Unlock()
			if len(late) == warm {
				begin = cpu()
			}
			if len(late) < end {
				late = append(late, int(time.Since(due)))
				arm()
			}
			if len(late) == end {
				late = append(late, 0)
				over <- cpu() - begin
			}
		})
	}
	mutex.Lock()
	for i := 0; i < timers; i++ {
		arm()
	}
	mutex.Unlock()
	used := <-over
	mutex.Lock()
	defer mutex.Unlock()
	late = late[warm:end]
	sort.Ints(late)
	n := len(late)
	fmt.Print(late[n/2]/1000, " ", late[n/100*99]/1000, " ",
		sort.SearchInts(late, 0), " ")
	fmt.Printf("%.1f", float64(used)/float64(n)/1000)
}

func pairs(threads int) {
	const each = 1000000
	var all sync.WaitGroup
	begin := time.Now()
	for t := 0; t < threads; t++ {
		all.Add(1)
		go func() {
			for i := 0; i < each; i++ {
				far := time.Duration(1000000+i%4096) * time.Millisecond
				time.AfterFunc(far, func() { panic("early") }).Stop()
			}
			all.Done()
		}()
	}
	all.Wait()
	fmt.Printf(" %.1f", float64(threads*each)/1e6/time.Since(begin).Seconds())
}

func main() {
	lateness()
	for threads := 1; threads <= 4; threads *= 2 {
		pairs(threads)
	}
	fmt.Println()
}
