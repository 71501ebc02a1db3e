#include "opkit/quantize/quantize_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/quantize/graphs.h"

namespace opkit::quantize {
namespace {

using testing::HasSubstr;

TEST(ScaleOf, IsSymmetricAroundZero) {
  const Scale scale = scale_of(ValueRange{-2.54, 1}, false);
  EXPECT_EQ(scale.zero, 0);
  EXPECT_EQ(scale.scale, static_cast<double>(static_cast<float>(2.54 / 127)));
  EXPECT_EQ(scale_of(ValueRange{0, 0}, false).scale, 1);
}

TEST(ScaleOf, HoldsBothEndsOfAnAsymmetricRange) {
  const Scale above = scale_of(ValueRange{0, 255}, true),
              below = scale_of(ValueRange{-255, 0}, true), both = scale_of(ValueRange{-1, 1}, true),
              none = scale_of(ValueRange{0, 0}, true);
  EXPECT_EQ(above.scale, 1);
  EXPECT_EQ(above.zero, -128);
  EXPECT_EQ(below.zero, 127);
  EXPECT_LE(std::abs(both.zero), 1);
  EXPECT_EQ(none.scale, 1);
  EXPECT_EQ(none.zero, 0);
}

Result<QuantizeWish> wished(const graph::Graph& net, const QuantizeOptions& options) {
  OPKIT_TRY(const Walk walk, Walk::make(net));
  OPKIT_TRY(Layers layers, find_layers(walk, results_of(net)));
  return wish_of(walk, std::move(layers), options);
}

// A value has one scale: the options of its second reader are not dropped.
TEST(Wish, RefusesReadersThatWantOneValueInDifferentWays) {
  const graph::Graph net = two_readers();
  QuantizeOptions options;
  EXPECT_TRUE(wished(net, options).ok());
  options.layers["right"].activation = RangeMethod::kDivergence;
  const auto refused = wished(net, options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-QUANT-006");
  EXPECT_THAT(refused.error().to_string(), HasSubstr("'left' and 'right' read 'x'"));
  options.layers["left"].activation = RangeMethod::kDivergence;
  options.layers["left"].percentile = 99;  // which no percentile reads
  EXPECT_TRUE(wished(net, options).ok());
  options.layers["right"].skip = true;
  options.layers["right"].asymmetric = true;
  EXPECT_TRUE(wished(net, options).ok());
}

Result<Int8Model> of_record(const graph::Graph& net, const std::string& text) {
  OPKIT_TRY(const Walk walk, Walk::make(net));
  OPKIT_TRY(Layers layers, find_layers(walk, results_of(net)));
  OPKIT_TRY(const auto record, parse_record(text, "r.txt"));
  return from_record(walk, std::move(layers), record);
}

std::string entry(const std::string& key, const std::string& value) {
  return "record { key: \"" + key + "\" value { " + value + " } }\n";
}

TEST(FromRecord, TakesScalesAndLeavesOutWhatNothingReads) {
  const std::string text = entry("left", "scale_d: 0.5 offset_d: 3 scale_w: 0.25") +
                           entry("right", "scale_d: 0.5 offset_d: 3 scale_w: 1 scale_w: 2") +
                           entry("tensor:y", "scale_d: 1");
  const auto model = of_record(two_readers(), text);
  ASSERT_TRUE(model.ok()) << model.error().to_string();
  ASSERT_EQ(model->layers.size(), 2u);
  EXPECT_EQ(model->layers[0].weights.scales, (std::vector<double>{0.25, 0.25}));
  EXPECT_EQ(model->layers[1].data.zero, 3);
  EXPECT_EQ(model->scales.size(), 1u);
  ASSERT_EQ(model->left_out.size(), 1u);
  EXPECT_EQ(model->left_out[0].name, "y");
}

TEST(FromRecord, RefusesTensorsThatInt8DoesNotHold) {
  graph::Graph net = two_readers();
  net.nodes.push_back({"Shape", {"y"}, {"dims"}, {}, "dims"});
  net.nodes.push_back({"MatMul", {"v", "w"}, {"fixed"}, {}, "fixed"});
  net.values["dims"].dtype = DType::kInt64;
  net.outputs = {"y", "dims", "fixed"};
  const std::string left = entry("left", "scale_d: 1 scale_w: 1");
  for (const auto& [more, part] : std::vector<std::pair<std::string, std::string>>{
           {entry("tensor:dims", "scale_d: 1"), "'dims', which is int64"},
           {entry("tensor:fixed", "scale_d: 1"), "'fixed', which depends on no input"},
           {entry("tensor:a", "scale_d: 1 scale_w: 1"), "'a' scales of weights"},
           {entry("tensor:b9", "scale_d: 1"), "'b9', which no node gives"},
           {entry("right", "scale_d: 2 scale_w: 1"), "read 'x' in different scales"},
           {entry("right", "scale_d: 1"), "0 scales of weights"}}) {
    const auto refused = of_record(net, left + more);
    ASSERT_FALSE(refused.ok()) << more;
    EXPECT_EQ(refused.error().code, "OPK-QUANT-008");
    EXPECT_THAT(refused.error().to_string(), HasSubstr(part));
  }
}

}  // namespace
}  // namespace opkit::quantize
