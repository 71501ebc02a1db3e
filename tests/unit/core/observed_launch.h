// With OPKIT_TEST_OBSERVER=checked or timed in the environment, somebody watches the launches of a
// suite. Results and refusals stay what they are, and correct kernels are free of findings. With
// OPKIT_TEST_SEED, launches that nobody watches run under that schedule (modes/reorder.h).
#ifndef OPKIT_TESTS_UNIT_CORE_OBSERVED_LAUNCH_H_
#define OPKIT_TESTS_UNIT_CORE_OBSERVED_LAUNCH_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string_view>

#include "opkit/core/machine.h"
#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/timed.h"
#include "tests/rates_910b1.h"

namespace opkit::core::test {

// What the chip does although the kernel did not mean it is a fault, and ends the block.
class Strict : public Observer {
 public:
  bool forbids_excess() const override { return true; }
};

// A refused instruction ends the block, as without an observer.
class Judge : public Checked {
 public:
  using Checked::Checked;
  bool recover(Core&, const Fault&) override { return false; }
};

inline LaunchReport launch_judged(Machine& machine, LaunchRequest request) {
  Judge judge;
  request.observer = &judge;
  LaunchReport report = machine.launch(request);
  const CheckedReport found = judge.take_report(report);
  if (report.ok()) {
    EXPECT_TRUE(found.findings.empty()) << to_text(found, {});
  }
  return report;
}

inline LaunchReport launch_timed(Machine& machine, LaunchRequest request) {
  Timed timed{rates_910b1()};
  request.observer = &timed;
  LaunchReport report = machine.launch(request);
  if (report.ok()) {
    EXPECT_GT(timed.result().cycles, 0u);
  }
  return report;
}

inline uint64_t seed_of_tests() {
  const char* seed = std::getenv("OPKIT_TEST_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 0;
}

// By name: observers that a suite brings.
inline std::map<std::string_view, LaunchReport (*)(Machine&, LaunchRequest)>& more_observers() {
  static std::map<std::string_view, LaunchReport (*)(Machine&, LaunchRequest)> observers;
  return observers;
}

inline LaunchReport launch_observed(Machine& machine, LaunchRequest request) {
  if (!request.observer) request.schedule_seed = seed_of_tests();
  const char* chosen = std::getenv("OPKIT_TEST_OBSERVER");
  const std::string_view observer = chosen ? chosen : "";
  if (request.observer || observer.empty()) return machine.launch(request);
  if (more_observers().count(observer)) return more_observers()[observer](machine, request);
  return observer == "timed" ? launch_timed(machine, request) : launch_judged(machine, request);
}

}  // namespace opkit::core::test

#endif  // OPKIT_TESTS_UNIT_CORE_OBSERVED_LAUNCH_H_
