/* SPDX-License-Identifier: Apache-2.0
   argv[1] = depth: recurses that deep and works at the bottom. argv[2] = frame: bytes of stack that the
   function `big_frame` holds while it works (0: none). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile uint64_t sink;

__attribute__((noinline)) static void bottom(void) {
  for (uint64_t i = 0; i < UINT64_C(1) << 62; ++i) sink = sink * 3 + i;
}

__attribute__((noinline)) static void big_frame(size_t bytes) {
  volatile char* block = __builtin_alloca(bytes + 1);
  block[0] = block[bytes] = 1;
  bottom();
  sink = sink + (uint64_t)block[bytes];
}

__attribute__((noinline)) static void descend(int depth, size_t bytes) {
  if (depth > 0) {
    descend(depth - 1, bytes);
  } else if (bytes > 0) {
    big_frame(bytes);
  } else {
    bottom();
  }
  sink = sink + 1;
}

int main(int argc, char** argv) {
  descend(argc > 1 ? atoi(argv[1]) : 10, argc > 2 ? (size_t)atol(argv[2]) : 0);
  return 0;
}
