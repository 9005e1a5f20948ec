// SPDX-License-Identifier: Apache-2.0

// A Go program with a known split of its CPU time: half in halfOfIt, the rest in otherHalf, by
// rounds of the same work. Built by tests with old and new releases of Go, stripped and not.
package main

import (
	"os"
	"strconv"
	"time"
)

var sink uint64

//go:noinline
func burn(rounds int) {
	value := sink
	for i := 0; i < rounds; i++ {
		value = value*6364136223846793005 + uint64(i)
	}
	sink = value
}

//go:noinline
func halfOfIt() { burn(1000000); sink++ }

//go:noinline
func otherHalf() { burn(1000000); sink-- }

func run(done <-chan time.Time) {
	for {
		select {
		case <-done:
			return
		default:
			halfOfIt()
			otherHalf()
		}
	}
}

func main() {
	seconds := 60
	if len(os.Args) > 1 {
		seconds, _ = strconv.Atoi(os.Args[1])
	}
	finished := make(chan bool)
	go func() {
		run(time.After(time.Duration(seconds) * time.Second))
		finished <- true
	}()
	<-finished
}
