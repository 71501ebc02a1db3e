// The op with hostile plugins, opened in a worker or in this process.
#ifndef TESTS_ISOLATION_OUT_OF_PROCESS_H_
#define TESTS_ISOLATION_OUT_OF_PROCESS_H_

#include <gmock/gmock.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "opkit/isolation/open_op.h"

namespace opkit::isolation {

inline Tensor numbers(int64_t n, double first) {
  Tensor tensor(DType::kFloat32, Shape({n}));
  for (int64_t i = 0; i < n; ++i) tensor.set(i, first + static_cast<double>(i));
  return tensor;
}

class OutOfProcessTest : public testing::Test {
 protected:
  void SetUp() override { ::unsetenv("OPKIT_HOSTILE"); }
  void TearDown() override { ::unsetenv("OPKIT_HOSTILE"); }

  static OpenedOp open(bool in_process) {
    OpenOptions options;
    options.in_process = in_process;
    options.limits.time = std::chrono::seconds(20);
    auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
    EXPECT_TRUE(op.ok()) << op.error().to_string();
    return std::move(op).value();
  }

  static Invocation call(const OpenedOp& op, int64_t n) {
    Invocation call;
    call.contract = &op.contract;
    call.soc = "Ascend910B1";
    call.inputs = {{numbers(n, 1)}, {numbers(n, 5)}};
    return call;
  }
};

}  // namespace opkit::isolation

#endif  // TESTS_ISOLATION_OUT_OF_PROCESS_H_
