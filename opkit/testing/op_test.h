// OpTest: the GoogleTest fixture for authors of ops. docs/testing.md shows it at work.
#ifndef OPKIT_TESTING_OP_TEST_H_
#define OPKIT_TESTING_OP_TEST_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "opkit/testing/device.h"

namespace opkit::testing {

class OpTest : public ::testing::Test {
 protected:
  // Replaces the installed packages, or the emulated chip.
  void use(std::unique_ptr<OpRegistry> registry) { registry_ = std::move(registry); }
  void use(std::unique_ptr<Device> device) { device_ = std::move(device); }

  Answer run(const Call& call) {
    const std::string package = registry_->package_of(call.op, call.soc);
    if (!package.empty()) return device_->run(package, call);
    Answer answer;
    answer.code = "OPK-TESTING-002";
    answer.message = "no package serves " + call.op + " on " + call.soc;
    return answer;
  }

  // Does everything that `opkit test` does.
  ::testing::AssertionResult does_its_contract(const std::string& op,
                                               const std::string& tier = "smoke") {
    const std::string package = registry_->package_of(op, "");
    if (package.empty()) return ::testing::AssertionFailure() << "no package serves " << op;
    const ContractVerdict verdict = test_contract(package, tier);
    if (verdict.passed) return ::testing::AssertionSuccess() << verdict.report;
    return ::testing::AssertionFailure() << verdict.report;
  }

 private:
  std::unique_ptr<OpRegistry> registry_ = installed_ops();
  std::unique_ptr<Device> device_ = emulated_chip();
};

}  // namespace opkit::testing

#endif  // OPKIT_TESTING_OP_TEST_H_
