// Failure capsules against thousands of mutants of good ones.
#include <gtest/gtest.h>

#include "mutator.h"
#include "opkit/verify/capsule.h"
#include "opkit/verify/judge.h"
#include "tests/unit/verify/fake_executor.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

constexpr const char* kContract = R"yaml(op: Probe
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "M, N", format: ND}
  b: {dtype: T, shape: "N|1", format: ND, presence: optional}
  xs: {dtype: T, shape: "1, N", presence: dynamic}
outputs:
  z: {dtype: T, shape: "1, 1", format: ND}
types: {T: [float16, float32]}
attrs:
  alpha: {type: float, default: 1.0, range: [-8, 8]}
where: {C1: "1 <= M <= 64 and 1 <= N <= 64"}
reference:
  - {op: Add, in: [x, b], out: t, when: "present(b)", else: x}
  - {op: Concat, in: [t, xs], out: all, attrs: {axis: 0}}
  - {op: ReduceMax, in: [all], out: z, attrs: {keepdims: 1}}
soc: [Ascend910B]
)yaml";

std::vector<std::string> seeds() {
  const auto contract = OpContract::parse(kContract, "op_contract.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  verify::FakeExecutor executor([](verify::FakeCall&) {});
  std::vector<std::string> capsules;
  for (const char* line : {"Probe --t T=float32 --d M=2,N=3 --count xs=0 --soc Ascend910B1",
                           "Probe --t T=float16 --d M=1,N=1 --count xs=1 --absent b --attr alpha=2 "
                           "--data special --soc Ascend910B1"}) {
    const auto problem = verify::parse_line(*contract, line);
    EXPECT_TRUE(problem.ok()) << problem.error().to_string();
    if (!problem.ok()) continue;
    capsules.push_back(to_json(make_capsule(
        *contract, "fake", verify::judge(*contract, executor, *problem), false, {"a"})));
  }
  return capsules;
}

std::vector<std::string> dictionary() {
  return {"9223372036854775807",
          "-1",
          "18446744073709551616",
          "1e308",
          "null",
          "[[[[[[[[[[",
          "{\"a\":",
          "\"seed\"",
          "\"bytes\"",
          "\\u0000",
          "\xff\xfe",
          "--d M=99999999999",
          "--d M=64",
          "--t T=float16",
          "--count xs=100000",
          "--threads 99999",
          "--seed 18446744073709551615",
          "AAAA",
          "====",
          "\"dims\": []",
          "float32",
          "Ascend310P3"};
}

TEST(CapsuleFuzz, TheSeedsAreGood) {
  const std::vector<std::string> capsules = seeds();
  ASSERT_EQ(capsules.size(), 2u);
  for (const std::string& text : capsules) {
    const auto read = verify::read_capsule(text);
    EXPECT_TRUE(read.ok()) << read.error().to_string();
  }
}

TEST(CapsuleFuzz, NoMutantBreaksAPromise) {
  constexpr int kMutants = 6000;
  Mutator mutator(20261121, seeds(), dictionary());
  int accepted = 0;
  for (int i = 0; i < kMutants; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE(text);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    accepted += verify::read_capsule(text).ok();
  }
  EXPECT_GT(accepted, kMutants / 100) << "mutants that are all refused early test little";
}

}  // namespace
}  // namespace opkit::fuzz
