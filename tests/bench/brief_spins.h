// Threads of OpenMP (oneDNN's) spin for some fifteen milliseconds after their work by default, on
// the processors of whoever is measured next.
#ifndef TESTS_BENCH_BRIEF_SPINS_H_
#define TESTS_BENCH_BRIEF_SPINS_H_

#include <unistd.h>

#include <cstdlib>

namespace opkit::bench {

// Starts the program again so that they spin for about half a millisecond, unless the environment
// says how long: enough for one call after the other. First thing in main.
inline void spin_briefly(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  ::setenv("GOMP_SPINCOUNT", "10000", 1);
  ::execv("/proc/self/exe", argv);
}

}  // namespace opkit::bench

#endif  // TESTS_BENCH_BRIEF_SPINS_H_
