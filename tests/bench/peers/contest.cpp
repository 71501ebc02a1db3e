#include "tests/bench/peers/contest.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

namespace opkit::peers {
namespace {

constexpr double kLeastSeconds = 2e-3;  // is the least that a sample takes

// On one thread its own time, so that other programs do not count; on several the clock on the
// wall.
double now(unsigned threads) {
  timespec at{};
  ::clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &at);
  return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

double seconds_of(const Entrant& entrant, unsigned threads, size_t times) {
  entrant.run();  // alone on its processors, its threads awake
  const double start = now(threads);
  for (size_t i = 0; i < times; ++i) entrant.run();
  return (now(threads) - start) / static_cast<double>(times);
}

size_t times_of(const Entrant& entrant, unsigned threads) {
  seconds_of(entrant, threads, 2);
  const double once = std::max(seconds_of(entrant, threads, 1), 1e-7);
  return static_cast<size_t>(std::ceil(std::max(kLeastSeconds / once, 1.0)));
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2),
                   all.end());
  return all[all.size() / 2];
}

// Returns the difference as a share of the largest element of `a`.
double difference(const Floats& a, const Floats& b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 1e-30, worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(a[i])));
    const double apart = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    worst = apart <= worst ? worst : apart;
  }
  return worst / largest;
}

std::string verdict_of(const Contest& contest, const std::string& against, double ratio) {
  for (const Goal& goal : contest.goals) {
    if (goal.against != against) continue;
    char text[64];
    std::snprintf(text, sizeof text, ">= %.2f %s", goal.least,
                  ratio >= goal.least ? "met" : "NOT met");
    return text;
  }
  return "";
}

void print_row(const Contest& contest, unsigned threads, const std::string& entrant, double seconds,
               double ratio) {
  std::printf("%-36s %-8s %7u  %-34s %11.1f", contest.name.c_str(), contest.dtype.c_str(), threads,
              entrant.c_str(), seconds * 1e6);
  if (ratio > 0) std::printf("  %6.2f  %s", ratio, verdict_of(contest, entrant, ratio).c_str());
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int64_t elements_of(const Dims& dims) {
  int64_t n = 1;
  for (const int64_t dim : dims) n *= dim;
  return n;
}

Floats random_floats(const Dims& dims, unsigned seed) {
  std::mt19937 random(seed);
  Floats all(static_cast<size_t>(elements_of(dims)));
  for (float& value : all)
    value = static_cast<float>(static_cast<int32_t>(random() >> 8) - (1 << 23)) * 0x1p-23f;
  return all;
}

bool measure(const Contest& contest, unsigned threads, size_t samples, double tolerance) {
  const std::vector<Entrant>& all = contest.entrants;
  if (!contest.missing.empty())
    std::printf("%s: %s\n", contest.name.c_str(), contest.missing.c_str());
  std::vector<size_t> times;
  std::vector<bool> agrees;
  for (const Entrant& entrant : all) {
    times.push_back(times_of(entrant, threads));
    const double apart = difference(all[0].result(), entrant.result());
    agrees.push_back(apart <= tolerance);
    if (!agrees.back())
      std::printf("%s: %s differs by %.2g of the largest element\n", contest.name.c_str(),
                  entrant.name.c_str(), apart);
  }
  std::vector<std::vector<double>> seconds(all.size());
  for (size_t i = 0; i < samples; ++i) {
    for (size_t e = 0; e < all.size(); ++e)
      seconds[e].push_back(seconds_of(all[e], threads, times[e]));
  }
  for (size_t e = 0; e < all.size(); ++e) {
    const double mine = median(seconds[0]), theirs = median(seconds[e]);
    const bool compared = e > 0 && contest.missing.empty() && agrees[e];
    print_row(contest, threads, all[e].name, theirs, compared ? theirs / mine : 0);
  }
  return std::find(agrees.begin(), agrees.end(), false) == agrees.end();
}

}  // namespace opkit::peers
