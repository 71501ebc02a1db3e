#include "opkit/measure/gate/regressions.h"

#include <tuple>

namespace opkit::measure {
namespace {

using Name = std::tuple<std::string, std::string, std::string>;  // op, chip, call
using Flat = std::map<Name, Counters>;

Flat flat(const Benchmarks& benchmarks) {
  Flat all;
  for (const auto& [op, chips] : benchmarks) {
    for (const auto& [soc, calls] : chips) {
      for (const auto& [call, counters] : calls) all[{op, soc, call}] = counters;
    }
  }
  return all;
}

// Tells whether a counter grew by more than kMostPercent, in whole numbers.
bool grew(uint64_t before, uint64_t after) {
  static_assert(100 % kMostPercent == 0);
  return after > before && after - before > before / (100 / kMostPercent);
}

class CounterComparison {
 public:
  std::vector<Difference> of(const Flat& before, const Flat& after) {
    for (const auto& [name, now] : after) {
      const auto old = before.find(name);
      if (old == before.end())
        add(name, "not in the file", 0, now.cycles, true);
      else
        compare(name, old->second, now);
    }
    for (const auto& [name, old] : before) {
      if (!after.contains(name)) add(name, "no longer there", old.cycles, 0, true);
    }
    return std::move(found_);
  }

 private:
  void compare(const Name& name, const Counters& old, const Counters& now) {
    if (old.not_modelled != now.not_modelled)
      return add(name, "modelled", old.not_modelled.empty(), now.not_modelled.empty(), true);
    if (old.exact != now.exact) return add(name, "watched to its end", old.exact, now.exact, true);
    judge(name, "cycles", old.cycles, now.cycles);
    judge(name, "GM bytes", old.gm_bytes(), now.gm_bytes());
  }

  void judge(const Name& name, const char* what, uint64_t before, uint64_t after) {
    if (grew(before, after)) add(name, what, before, after, true);
    if (grew(after, before)) add(name, what, before, after, false);
  }

  void add(const Name& name, const char* what, uint64_t before, uint64_t after, bool worse) {
    found_.push_back(
        {std::get<0>(name), std::get<1>(name), std::get<2>(name), what, before, after, worse});
  }

  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences(const Benchmarks& before, const Benchmarks& after) {
  return CounterComparison().of(flat(before), flat(after));
}

size_t calls_of(const Benchmarks& benchmarks) { return flat(benchmarks).size(); }

}  // namespace opkit::measure
