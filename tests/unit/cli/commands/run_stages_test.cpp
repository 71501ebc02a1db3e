#include "opkit/cli/commands/run_stages.h"

#include <gtest/gtest.h>

#include <memory>

#include "opkit/call/execute/execution.h"

namespace opkit::cli {
namespace {

// Addresses alone: nothing is filled here, so that the test takes no memory.
Invocation call_of(int64_t elements) {
  Invocation call;
  for (const char* name : {"x", "y"})
    call.inputs.push_back({Tensor::reserved(DType::kFloat16, Shape({elements}), name).value()});
  call.fill = [](size_t, size_t, Tensor&) {};
  return call;
}

std::string told(Invocation call, bool quiet) {
  Console console({.quiet = quiet});
  testing::internal::CaptureStderr();
  RunStages stages(console, "Add");
  stages.watch(call);
  for (size_t p = 0; p < call.inputs.size(); ++p)
    if (call.inputs[p][0].is_reserved()) call.fill(p, 0, call.inputs[p][0]);
  stages.begin("keeping the outputs");
  stages.finish();
  return testing::internal::GetCapturedStderr();
}

TEST(RunStages, TellWhatARunOfLargeTensorsIsAt) {
  EXPECT_EQ(told(call_of(int64_t{1} << 31), false),
            "run Add: making x: float16 [2147483648] ND\n"
            "run Add: making y: float16 [2147483648] ND\n"
            "run Add: running\n"
            "run Add: keeping the outputs\n");
}

TEST(RunStages, SayNothingOfSmallOnesOrWithQuiet) {
  EXPECT_EQ(told(call_of(1000), false), "");
  EXPECT_EQ(told(call_of(int64_t{1} << 31), true), "");
}

TEST(RunStages, InputsOfFilesAreThere) {
  Invocation call = call_of(1 << 10);
  call.inputs[0][0] = Tensor(DType::kInt8, Shape({4}));
  const auto addresses = std::make_shared<Tensor>(call_of(int64_t{1} << 28).inputs[0][0]);
  call.inputs[1][0] = Tensor::lent({addresses, addresses->data()}, addresses->desc());
  EXPECT_EQ(told(std::move(call), false), "run Add: running\nrun Add: keeping the outputs\n");
}

}  // namespace
}  // namespace opkit::cli
