#include "opkit/quantize/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "opkit/base/npy.h"
#include "tests/unit/quantize/graphs.h"

namespace opkit::quantize {
namespace {

SeenValue seen(const std::vector<std::vector<double>>& samples) {
  SeenValue value(2048);
  for (const auto& sample : samples) {
    Histogram one(2048);
    one.add(sample);
    value.extremes.emplace_back(one.lowest(), one.highest());
    value.histogram.add(one);
  }
  return value;
}

LayerOptions with(RangeMethod method) {
  LayerOptions options;
  options.activation = method;
  return options;
}

TEST(RangeOf, HoldsZero) {
  for (const RangeMethod method : {RangeMethod::kMinMax, RangeMethod::kMovingAverage,
                                   RangeMethod::kPercentile, RangeMethod::kDivergence}) {
    const ValueRange above = range_of(seen({{2, 3}, {4}}), with(method));
    EXPECT_LE(above.low, 0);
    EXPECT_GE(above.high, 2);
    const ValueRange zeros = range_of(seen({{0, 0}}), with(method));
    EXPECT_EQ(zeros.low, 0);
    EXPECT_EQ(zeros.high, 0);
  }
}

TEST(RangeOf, AveragesTheExtremesOfSamples) {
  const ValueRange range = range_of(seen({{-1, 1}, {-3, 11}}), with(RangeMethod::kMovingAverage));
  EXPECT_DOUBLE_EQ(range.low, -1.2);
  EXPECT_DOUBLE_EQ(range.high, 2);
}

TEST(RangeOf, KeepsBothEndsOfAnAsymmetricPercentile) {
  LayerOptions options = with(RangeMethod::kPercentile);
  options.percentile = 100;
  options.asymmetric = true;
  const ValueRange range = range_of(seen({{-1, 0, 7}}), options);
  EXPECT_EQ(range.low, -1);
  EXPECT_EQ(range.high, 7);
}

// Returns a graph whose value y is x times 1e30, twice.
graph::Graph growing() {
  graph::Graph net;
  net.add_input("x", DType::kFloat32, {2});
  net.add_constant("large", floats({}, {1e30}));
  net.nodes.push_back({"Mul", {"x", "large"}, {"m"}, {}, "first"});
  net.nodes.push_back({"Mul", {"m", "large"}, {"y"}, {}, "second"});
  net.outputs = {"y"};
  return net;
}

// Returns samples of the input x of two elements.
Samples samples_of(const std::vector<float>& values) {
  Tensor tensor(DType::kFloat32, {static_cast<int64_t>(values.size()) / 2, 2}, "x");
  std::memcpy(tensor.data(), values.data(), tensor.size_bytes());
  const auto file = std::filesystem::path(testing::TempDir()) / "opkit_calibrate_test.npy";
  EXPECT_TRUE(save_npy(file, tensor).ok());
  auto samples = Samples::load(file, {"x"});
  EXPECT_TRUE(samples.ok());
  EXPECT_TRUE(samples->fit({{"x", DType::kFloat32, {2}}}).ok());
  std::filesystem::remove(file);
  return std::move(*samples);
}

Result<SeenValues> seen_by(const graph::Graph& net, const Samples& samples) {
  OPKIT_TRY(const Walk walk, Walk::make(net));
  return calibrate(walk, samples, {"x", "y"}, 256, 2, [](size_t) {});
}

// The interpreter's doubles reach further than the model's own type.
TEST(Calibrate, RefusesValuesThatFloat32DoesNotHold) {
  const graph::Graph net = growing();
  const auto refused = seen_by(net, samples_of({0, 0, 1, -2}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-QUANT-003");
  EXPECT_THAT(refused.error().to_string(),
              testing::HasSubstr("in sample 1 the value 'y' has 2 elements that are not finite"));
}

TEST(Calibrate, SeesExtremesOfSamplesAndChannels) {
  const graph::Graph net = growing();
  const auto all = seen_by(net, samples_of({0, 1e-40f, -1e-30f, 1e-40f, 0, 0}));
  ASSERT_TRUE(all.ok()) << all.error().to_string();
  const SeenValue& x = all->at("x");
  EXPECT_EQ(x.extremes[1].first, static_cast<double>(-1e-30f));
  EXPECT_EQ(x.histogram.zeros(), 3u);
  EXPECT_EQ(x.at_high, 2u);
  EXPECT_EQ(x.at_low, 1u);
  EXPECT_TRUE(x.lows.empty());  // a vector has no channels
}

TEST(NotCovered, NamesConstantChannelsAndSingleSamples) {
  SeenValue value = seen({{1, 1, 2, 3}});
  value.lows = {1, 2};
  value.highs = {1, 3};
  SeenValues all;
  all.emplace("x", value);
  const Errors warnings = not_covered(all, {"x"}, 1);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].code, "OPK-QUANT-010");
  EXPECT_THAT(warnings[1].to_string(), testing::HasSubstr("'x' (1 of 2 channels)"));
}

TEST(NotCovered, TakesValuesWithoutElements) {
  SeenValues all;
  all.emplace("x", SeenValue(256));
  EXPECT_TRUE(not_covered(all, {"x"}, 2).empty());
}

}  // namespace
}  // namespace opkit::quantize
