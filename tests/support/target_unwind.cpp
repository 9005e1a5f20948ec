// SPDX-License-Identifier: Apache-2.0
// Puts its main thread into a stack of the kind named by argv[1], prints "ready" and stays there.
// Built several times with different tables; C only in spirit, so that musl-gcc builds it too.
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

namespace {

volatile int sink;
volatile bool spin;

[[gnu::noinline]] void rest() {
  if (write(1, "ready\n", 6) != 6) abort();
  for (;;) {
    if (spin) {
      for (int i = 0; i < 1000; ++i) sink = sink + i;
    } else {
      pause();
    }
  }
}

[[gnu::noinline]] void recurse(int depth) {
  if (depth == 0) {
    rest();
  } else {
    recurse(depth - 1);
  }
  sink = sink + 1;
}

[[gnu::noinline]] void large(int depth) {
  char room[200 * 1024];
  memset(room, depth, sizeof room);
  recurse(depth);
  sink = sink + room[sink & 1023];
}

[[gnu::noinline]] void variable(int size) {
  char* room = static_cast<char*>(alloca(static_cast<size_t>(size)));
  memset(room, 1, static_cast<size_t>(size));
  recurse(3);
  sink = sink + room[sink % size];
}

void on_signal(int /*number*/) {
  recurse(2);
  sink = sink + 1;
}

[[gnu::noinline]] void divide(bool alternate) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  if (alternate) {
    stack_t stack{};
    stack.ss_size = 256 * 1024;
    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, nullptr);
    action.sa_flags = SA_ONSTACK;
  }
  sigaction(SIGFPE, &action, nullptr);
  volatile int zero = 0;
  volatile int some = 7;  // 1 / x is computed without a division
  sink = some / zero;
  sink = sink + 1;
}

void* thread_main(void* /*argument*/) {
  recurse(4);
  return nullptr;
}

int compare(const void* a, const void* b) {
  if (*static_cast<const int*>(a) != 0) recurse(2);
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

[[gnu::noinline]] void clock_loop() {
  if (write(1, "ready\n", 6) != 6) abort();
  timespec now{};
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    sink = sink + static_cast<int>(now.tv_nsec);
  }
}

}  // namespace

int main(int argc, char** argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const char* kind = argc > 1 ? argv[1] : "recurse";
  spin = argc > 2;
  if (strcmp(kind, "deep") == 0) recurse(3000);
  if (strcmp(kind, "twenty") == 0) recurse(13);
  if (strcmp(kind, "large") == 0) large(5);
  if (strcmp(kind, "alloca") == 0) variable(60000 + argc);
  if (strcmp(kind, "signal") == 0) divide(false);
  if (strcmp(kind, "altstack") == 0) divide(true);
  if (strcmp(kind, "vdso") == 0) clock_loop();
  if (strcmp(kind, "qsort") == 0) {
    int values[2] = {1, 2};
    qsort(values, 2, sizeof values[0], compare);
  }
  if (strcmp(kind, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, nullptr, thread_main, nullptr);
    pthread_join(thread, nullptr);
  }
  recurse(10);
  return sink;
}
