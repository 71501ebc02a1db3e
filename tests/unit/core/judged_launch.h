// With OPKIT_TEST_CHECKED in the environment, the launches of a suite are judged by Checked as
// well: correct kernels must be free of findings. Results and refusals stay what they are.
#ifndef TESTS_UNIT_CORE_JUDGED_LAUNCH_H_
#define TESTS_UNIT_CORE_JUDGED_LAUNCH_H_

#include <gtest/gtest.h>

#include <cstdlib>

#include "opkit/core/modes/checked.h"

namespace opkit::core::test {

// A refused instruction ends the block, as without an observer.
class Judge : public Checked {
 public:
  using Checked::Checked;
  bool recover(Core&, const Fault&) override { return false; }
};

inline LaunchReport launch_judged(Machine& machine, LaunchRequest request) {
  if (request.observer || !std::getenv("OPKIT_TEST_CHECKED")) return machine.launch(request);
  Judge judge;
  request.observer = &judge;
  LaunchReport report = machine.launch(request);
  const CheckedReport found = judge.take_report(report);
  if (report.ok()) {
    EXPECT_TRUE(found.findings.empty()) << to_text(found, {});
  }
  return report;
}

}  // namespace opkit::core::test

#endif  // TESTS_UNIT_CORE_JUDGED_LAUNCH_H_
