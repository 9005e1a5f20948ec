// SPDX-License-Identifier: Apache-2.0
// A program whose threads and processes come and go. Usage: target_churn MODE [ARGUMENT]
//   burn           one thread, for ever
//   for MS         one thread, that many milliseconds of CPU time, exit status 3
//   threads N      N threads, worker-<n>, that burn a millisecond every eight seconds in turn
//   turns N        the same every 20 milliseconds
//   short          two threads at a time, each lives for 10 to 30 ms of CPU time
//   forks          children that burn 20 ms each, one after the other
//   dlopen LIB     a while in the program, then in the function cos of LIB
//   exec PROGRAM   a while in the program, then PROGRAM burn
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace {

long cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

[[gnu::noinline]] void burn_ms(long ms) {
  const long end = cpu_ms() + ms;
  while (cpu_ms() < end) {
    for (int i = 0; i < 20000; ++i) asm volatile("");
  }
}

void many_threads(int count, int pause_ms) {
  for (int i = 0; i < count; ++i) {
    std::thread{[i, pause_ms] {
      pthread_setname_np(pthread_self(), ("worker-" + std::to_string(i)).c_str());
      std::this_thread::sleep_for(std::chrono::milliseconds{8 * i % pause_ms});
      while (true) {
        burn_ms(1);
        std::this_thread::sleep_for(std::chrono::milliseconds{pause_ms});
      }
    }}.detach();
  }
  pause();
}

void short_threads() {
  const auto chain = [] {
    for (unsigned random = 1;; random = random * 1664525 + 1013904223) {
      std::thread{[random] { burn_ms(10 + static_cast<long>((random >> 8) % 21)); }}.join();
    }
  };
  std::thread other{chain};
  chain();
}

void forks() {
  while (true) {
    const pid_t child = fork();
    if (child == 0) {
      burn_ms(20);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
}

void load(const char* library) {
  burn_ms(50);
  void* handle = dlopen(library, RTLD_NOW);
  auto* function = handle == nullptr ? nullptr : reinterpret_cast<double (*)(double)>(dlsym(handle, "cos"));
  if (function == nullptr) exit(1);
  volatile double x = 0.5;
  while (true) x = function(x + 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "burn";
  const char* argument = argc > 2 ? argv[2] : "";
  if (mode == "for") return burn_ms(atol(argument)), 3;
  if (mode == "threads") many_threads(atoi(argument), 8000);
  if (mode == "turns") many_threads(atoi(argument), 20);
  if (mode == "short") short_threads();
  if (mode == "forks") forks();
  if (mode == "dlopen") load(argument);
  if (mode == "exec") {
    burn_ms(50);
    execl(argument, argument, "burn", nullptr);
    return 1;
  }
  while (true) burn_ms(100);
}
