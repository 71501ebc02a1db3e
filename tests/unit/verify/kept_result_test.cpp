#include "opkit/verify/kept_result.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace opkit::verify {
namespace {

ProblemResult judged() {
  ProblemResult result;
  result.line = "--t MyOp:N=7";
  result.verdict = Verdict::kMistrusted;
  result.reason = "a kernel that writes zeros would pass";
  result.labels = {"column 0", "data uniform"};
  result.tiling_key = std::numeric_limits<uint64_t>::max();
  result.block_dim = 8;
  result.ran = true;
  result.elements = 7;
  oracle::Comparison comparison;
  comparison.output = "z";
  comparison.elements = 7;
  comparison.wrong_zero = 3;
  comparison.max_ulps = std::numeric_limits<double>::infinity();
  comparison.bias = std::nan("");
  comparison.trivial = {"zeros"};
  comparison.histogram = {1, 2, 3, 1, 0, 0, 0};
  oracle::WrongElement wrong;
  wrong.index = {2, 3};
  wrong.got = std::nan("");
  comparison.worst = {wrong};
  result.outputs = {comparison};
  return result;
}

TEST(KeptResult, IsWhatItWas) {
  const ProblemResult result = judged();
  const auto back = result_from(to_bytes(result));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->line, result.line);
  EXPECT_EQ(back->verdict, result.verdict);
  EXPECT_EQ(back->reason, result.reason);
  EXPECT_EQ(back->labels, result.labels);
  EXPECT_EQ(back->tiling_key, result.tiling_key);
  EXPECT_EQ(back->block_dim, result.block_dim);
  ASSERT_EQ(back->outputs.size(), 1u);
  EXPECT_EQ(back->outputs[0].histogram, result.outputs[0].histogram);
  EXPECT_EQ(back->outputs[0].wrong_zero, 3);
  EXPECT_EQ(back->outputs[0].trivial, result.outputs[0].trivial);
  EXPECT_EQ(back->outputs[0].max_ulps, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(back->outputs[0].bias));
  ASSERT_EQ(back->outputs[0].worst.size(), 1u);
  EXPECT_TRUE(std::isnan(back->outputs[0].worst[0].got));
  EXPECT_EQ(back->outputs[0].worst[0].index, result.outputs[0].worst[0].index);
}

TEST(KeptResult, AnUnknownVerdictIsNoResult) {
  ProblemResult result = judged();
  result.verdict = static_cast<Verdict>(17);
  EXPECT_FALSE(result_from(to_bytes(result)));
}

RC_GTEST_PROP(KeptResult, DamagedBytesNeverCrash, (std::vector<uint8_t> noise)) {
  result_from(noise);
  std::vector<uint8_t> bytes = to_bytes(judged());
  for (const uint8_t value : noise) bytes[value * bytes.size() / 256] ^= value;
  result_from(bytes);
  bytes.resize(noise.size() % bytes.size());
  RC_ASSERT(!result_from(bytes));
}

}  // namespace
}  // namespace opkit::verify
