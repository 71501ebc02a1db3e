// A case that opkit's op and others compute, and what is measured of it.
#ifndef TESTS_BENCH_PEERS_CONTEST_H_
#define TESTS_BENCH_PEERS_CONTEST_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace opkit::peers {

using Floats = std::vector<float>;
using Dims = std::vector<int64_t>;

struct Entrant {
  std::string name;
  std::function<void()> run;
  std::function<Floats()> result;  // returns what the last run gave; row by row
};

// How others must do: at least so many times as fast as the entrant of this name, where there is
// one.
struct Goal {
  std::string against;
  double least;
};

struct Contest {
  std::string name, dtype;
  std::vector<Entrant> entrants;  // opkit's first, unless its op is not installed
  std::vector<Goal> goals;
  std::string missing;  // why opkit has no entrant
};

// Numbers of [-1, 1), the same for the same seed.
Floats random_floats(const Dims& dims, unsigned seed);
int64_t elements_of(const Dims& dims);

// Runs the entrants in turn until each has so many samples; prints a row of medians and ratios.
// Entrants whose results differ from opkit's by more than `tolerance` of the largest element are
// named and not compared. False: there was such a one.
bool measure(const Contest& contest, unsigned threads, size_t samples, double tolerance);

}  // namespace opkit::peers

#endif  // TESTS_BENCH_PEERS_CONTEST_H_
