/* SPDX-License-Identifier: Apache-2.0
   A program with a known split of its CPU time, for tests that build it in many ways: half in
   half_of_it, three tenths in three_tenths, two tenths in two_tenths. Each runs until the thread's own
   CPU clock has advanced by its share, so the split is exact whatever the machine does. C, so that
   every compiler and libc here can build it. argv[1]: seconds of CPU time, then it ends (default 60). */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static volatile uint64_t sink;

static int64_t cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Always inlined: a test wants to see this name inside each caller, on line 25. */
static inline __attribute__((always_inline)) uint64_t inlined_step(uint64_t value) {
  for (int i = 0; i < 20000; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;  /* INLINED-LINE */
    __asm__ volatile("" : "+r"(value));
  }
  return value;
}

/* The salt keeps the compiler from folding three equal functions into one. */
#define WORK(name, salt)                                               \
  __attribute__((noinline)) static void name(int64_t until) {          \
    while (cpu_ns() < until) sink = inlined_step(sink + (salt));       \
    __asm__ volatile("");                                              \
  }
WORK(half_of_it, 1)
WORK(three_tenths, 2)
WORK(two_tenths, 3)

__attribute__((noinline)) static void run(int64_t end) {
  int64_t at = cpu_ns();
  while (at < end) {
    half_of_it(at += 5000000);
    three_tenths(at += 3000000);
    two_tenths(at += 2000000);
  }
  __asm__ volatile("");
}

int main(int argc, char** argv) {
  run((argc > 1 ? atoi(argv[1]) : 60) * INT64_C(1000000000));
  return 0;
}
