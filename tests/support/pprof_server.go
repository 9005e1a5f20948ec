// SPDX-License-Identifier: Apache-2.0

// A Go program that serves its own net/http/pprof on argv[1] and works a little meanwhile: the
// yardstick for hprof serve.
package main

import (
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

var sink uint64

//go:noinline
func burn() {
	for i := uint64(0); i < 5000000; i++ {
		sink = sink*6364136223846793005 + i
	}
}

func main() {
	go func() {
		for {
			burn()
			time.Sleep(time.Millisecond)
		}
	}()
	panic(http.ListenAndServe(os.Args[1], nil))
}
