// SPDX-License-Identifier: MIT
//
// tools/bench/threads/lateness.go - lateness.c with the timers of Go
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

func argument(i int) int {
	n, err := strconv.Atoi(os.Args[i])
	if err != nil {
		panic(err)
	}
	return n
}

func main() {
	count, seconds := argument(1), argument(2)
	rand.Seed(int64(argument(3)))
	late := make([]int64, count)
	begin := time.Now()
	for i := 0; i < count; i++ {
		i := i
		due := time.Duration(500+rand.Intn(60000)) * time.Millisecond
		time.AfterFunc(due-time.Since(begin), func() {
			l := int64(time.Since(begin) - due)
			if l == 0 {
				l = 1
			}
			atomic.StoreInt64(&late[i], l)
		})
	}
	time.Sleep(time.Duration(seconds) * time.Second)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for i := range late {
		if l := atomic.LoadInt64(&late[i]); l != 0 {
			fmt.Fprintln(out, l)
		}
	}
}
