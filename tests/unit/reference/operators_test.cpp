// Hand-computed cases for what the public node tests do not cover.
#include <cmath>

#include "tests/unit/reference/build.h"

namespace opkit::reference {
namespace {

using ::testing::ElementsAre;

RefTensor ints(std::vector<double> values, DType dtype = DType::kInt32) {
  return list(std::move(values), dtype);
}

TEST(Arithmetic, IntegersWrapAndTruncate) {
  EXPECT_THAT(value("Add", {ints({127}, DType::kInt8), ints({1}, DType::kInt8)}).values,
              ElementsAre(-128));
  EXPECT_THAT(value("Mul", {ints({65536, 3}), ints({65536, -4})}).values, ElementsAre(0, -12));
  EXPECT_THAT(value("Sub", {ints({0}, DType::kUInt16), ints({1}, DType::kUInt16)}).values,
              ElementsAre(65535));
  EXPECT_THAT(value("Div", {ints({-7, 7, -2147483648.0}), ints({2, -2, -1})}).values,
              ElementsAre(-3, -3, -2147483648.0));
  EXPECT_THAT(value("Neg", {ints({-128}, DType::kInt8)}).values, ElementsAre(-128));
  EXPECT_THAT(value("Abs", {ints({-128, -5}, DType::kInt8)}).values, ElementsAre(-128, 5));
}

TEST(Arithmetic, ModuloHasTwoSigns) {
  const RefTensor a = ints({-7, 7, -7, 7}), b = ints({3, 3, -3, -3});
  EXPECT_THAT(value("Mod", {a, b}).values, ElementsAre(2, 1, -1, -2));
  EXPECT_THAT(value("Mod", {a, b}, {{"fmod", int64_t{1}}}).values, ElementsAre(-1, 1, -1, 1));
  expect_error(apply("Mod", {list({1}), list({1})}), "OPK-REF-005", "fmod must be 1");
}

TEST(Arithmetic, IntegerPowers) {
  EXPECT_THAT(value("Pow", {ints({-3, 2, 10, 2}), ints({3, 0, 9, 32})}).values,
              ElementsAre(-27, 1, 1000000000, 0));
  EXPECT_THAT(value("Pow", {ints({2, 1}), ints({-1, -5})}).values, ElementsAre(0, 1));
  expect_error(apply("Pow", {ints({0}), ints({-1})}), "OPK-REF-012", "no integer holds");
}

TEST(Arithmetic, ClipWithMinAboveMaxGivesMax) {
  EXPECT_THAT(value("Clip", {list({0, 5, 9}), tensor(Shape{}, {6}), tensor(Shape{}, {2})}).values,
              ElementsAre(2, 2, 2));
  EXPECT_THAT(value("Clip", {list({0, 9})}, {{"min", 1.0}, {"max", 3.0}}, 6).values,
              ElementsAre(1, 3));
}

TEST(Arithmetic, BroadcastsBothWaysAndWithEmptyDims) {
  const RefTensor out = value("Mul", {tensor(Shape{2, 1}, {2, 3}), tensor(Shape{1, 2}, {5, 7})});
  EXPECT_EQ(out.shape, (Shape{2, 2}));
  EXPECT_THAT(out.values, ElementsAre(10, 14, 15, 21));
  EXPECT_EQ(value("Add", {tensor(Shape{0, 2}, {}), list({1, 2})}).shape, (Shape{0, 2}));
}

TEST(Arithmetic, VersionSixAlignsAtAnAxis) {
  const RefTensor a = tensor(Shape{2, 1, 2}, {0, 0, 0, 0});
  EXPECT_THAT(
      value("Add", {a, list({1, 2})}, {{"broadcast", int64_t{1}}, {"axis", int64_t{0}}}, 6).values,
      ElementsAre(1, 1, 2, 2));
}

TEST(Cast, RoundsToFloatTypesInEveryMode) {
  const RefTensor x = list({2049, 65520, 1 + 0x1p-8 + 0x1p-40}, DType::kFloat64);
  const auto cast = [&](const char* to) { return value("Cast", {x}, {{"to", std::string(to)}}); };
  EXPECT_THAT(cast("float16").values, ElementsAre(2048, INFINITY, 1.00390625));
  EXPECT_THAT(cast("bfloat16").values, ElementsAre(2048, 65536, 1.0078125));
  EXPECT_EQ(cast("float32")[2], 1.00390625);
  EXPECT_EQ(value("Cast", {x}, {{"to", int64_t{10}}}).dtype, DType::kFloat16);
}

TEST(Cast, ToIntegersAndBool) {
  const auto cast = [](const RefTensor& x, const char* to) {
    return value("Cast", {x}, {{"to", std::string(to)}});
  };
  EXPECT_THAT(cast(list({2.9, -2.9, -0.5}), "int32").values, ElementsAre(2, -2, 0));
  EXPECT_FALSE(std::signbit(cast(list({-0.5}), "int32")[0]));
  EXPECT_THAT(cast(ints({300, -1}), "uint8").values, ElementsAre(44, 255));
  EXPECT_THAT(cast(list({0, -0.0, 0.1, NAN}), "bool").values, ElementsAre(0, 0, 1, 1));
  for (double bad : {128.0, -129.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    expect_error(apply("Cast", {list({bad})}, {{"to", std::string("int8")}}), "OPK-REF-012",
                 "has no value in int8");
  }
  expect_error(apply("Cast", {list({1})}, {{"to", std::string("float7")}}), "OPK-REF-005",
               "float7");
  expect_error(apply("Cast", {list({1})}, {{"to", int64_t{8}}}), "OPK-REF-011", "element type 8");
}

TEST(RMSNormalization, DividesByTheRootMeanSquare) {
  const RefTensor x = tensor(Shape{1, 2}, {3, 4});
  const double rms = std::sqrt(12.5);
  expect_near(value("RMSNormalization", {x, list({1, 2})}, {{"epsilon", 0.0}}), {3 / rms, 8 / rms});
  expect_near(value("RMSNormalization", {x, list({1, 1})}, {{"epsilon", 12.5}}), {0.6, 0.8});
  expect_error(apply("RMSNormalization", {x, list({1, 2, 3})}), "OPK-REF-006",
               "does not broadcast");
}

TEST(RMSNormalization, NormalisesFromTheAxisOn) {
  const RefTensor x = tensor(Shape{2, 1, 2}, {1, 1, 7, 1});
  expect_near(
      value("RMSNormalization", {x, list({1, 1})}, {{"axis", int64_t{1}}, {"epsilon", 0.0}}),
      {1, 1, 1.4, 0.2});
}

TEST(GroupNormalization, ScalePerGroupThenPerChannel) {
  const RefTensor x = tensor(Shape{1, 4, 1}, {1, 3, 10, 14});
  const Attributes two = {{"num_groups", int64_t{2}}, {"epsilon", 0.0}};
  expect_near(value("GroupNormalization", {x, list({1, 2}), list({0, 5})}, two, 18), {-1, 1, 3, 7});
  expect_near(value("GroupNormalization", {x, list({1, 2, 3, 4}), list({0, 0, 0, 1})}, two, 21),
              {-1, 2, -3, 5});
  expect_error(apply("GroupNormalization", {x, list({1}), list({1})}, {{"num_groups", int64_t{3}}}),
               "OPK-REF-005", "must divide the channels");
}

TEST(LpNormalization, DividesByTheNormOfEachRun) {
  const RefTensor x = tensor(Shape{2, 2}, {3, 0, 4, 0});
  expect_near(value("LpNormalization", {x}, {{"axis", int64_t{0}}}), {0.6, 0, 0.8, 0});
  expect_near(value("LpNormalization", {list({1, -3})}, {{"p", int64_t{1}}}), {0.25, -0.75});
  expect_error(apply("LpNormalization", {x}, {{"p", int64_t{3}}}), "OPK-REF-005", "1 or 2");
}

TEST(Bitwise, WorksOnTwosComplement) {
  const RefTensor a = ints({12, -1}, DType::kInt8), b = ints({10, 7}, DType::kInt8);
  EXPECT_THAT(value("BitwiseAnd", {a, b}).values, ElementsAre(8, 7));
  EXPECT_THAT(value("BitwiseOr", {a, b}).values, ElementsAre(14, -1));
  EXPECT_THAT(value("BitwiseXor", {a, b}).values, ElementsAre(6, -8));
  EXPECT_THAT(value("BitwiseNot", {a}).values, ElementsAre(-13, 0));
  EXPECT_THAT(value("BitwiseNot", {ints({0, 200}, DType::kUInt8)}).values, ElementsAre(255, 55));
}

TEST(Pooling, LpAndGlobalLp) {
  const RefTensor x = tensor(Shape{1, 1, 4}, {3, -4, 0, 5});
  const Attributes window = {{"kernel_shape", std::vector<int64_t>{2}},
                             {"strides", std::vector<int64_t>{2}}};
  expect_near(value("LpPool", {x}, window), {5, 5});
  expect_near(value("GlobalLpPool", {x}, {{"p", int64_t{1}}}), {12});
}

TEST(Pooling, CeilModeLeavesOutWindowsBehindTheData) {
  const RefTensor x = tensor(Shape{1, 1, 3}, {1, 2, 3});
  const Attributes a = {{"kernel_shape", std::vector<int64_t>{1}},
                        {"strides", std::vector<int64_t>{2}},
                        {"pads", std::vector<int64_t>{0, 1}},
                        {"ceil_mode", int64_t{1}}};
  EXPECT_THAT(value("MaxPool", {x}, a).values, ElementsAre(1, 3));
}

TEST(Pooling, AverageWithPadsCountedStopsAtThePaddedEdge) {
  const RefTensor x = tensor(Shape{1, 1, 3}, {3, 6, 9});
  const Attributes a = {{"kernel_shape", std::vector<int64_t>{2}},
                        {"strides", std::vector<int64_t>{2}},
                        {"ceil_mode", int64_t{1}},
                        {"count_include_pad", int64_t{1}}};
  EXPECT_THAT(value("AveragePool", {x}, a).values, ElementsAre(4.5, 9));
}

TEST(Conv, GroupsDilationsAndBias) {
  const RefTensor x = tensor(Shape{1, 2, 3}, {1, 2, 3, 10, 20, 30});
  const RefTensor w = tensor(Shape{2, 1, 2}, {1, 10, 1, -1});
  const Attributes a = {{"group", int64_t{2}}, {"dilations", std::vector<int64_t>{2}}};
  EXPECT_THAT(value("Conv", {x, w, list({100, 0})}, a).values, ElementsAre(131, -20));
  expect_error(apply("Conv", {x, w}), "OPK-REF-006", "do not fit in 1 groups");
  expect_error(apply("Conv", {x, w}, {{"group", int64_t{2}}, {"strides", std::vector<int64_t>{0}}}),
               "OPK-REF-005", "strides must have 1 values of at least 1");
}

TEST(Conv, IntegerOperandsAreNarrow) {
  const RefTensor x = tensor(Shape{1, 1, 2}, {3, 5}, DType::kUInt8);
  const RefTensor w = tensor(Shape{1, 1, 2}, {-1, 2}, DType::kInt8);
  EXPECT_THAT(value("ConvInteger", {x, w, tensor(Shape{}, {1}, DType::kUInt8)}).values,
              ElementsAre(6));
  const RefTensor wide = tensor(Shape{1, 1, 2}, {3, 5}, DType::kInt32);
  expect_error(apply("ConvInteger", {wide, w}), "OPK-REF-007", "16 bits or fewer");
}

TEST(MatMul, VectorsAndIntegers) {
  EXPECT_EQ(value("MatMul", {list({1, 2}), list({3, 4})}).shape, Shape{});
  EXPECT_THAT(value("MatMul", {list({1, 2}), tensor(Shape{2, 1}, {3, 4})}).values, ElementsAre(11));
  const RefTensor big = tensor(Shape{1, 2}, {2147483647, 2147483647}, DType::kInt32);
  const RefTensor ones = tensor(Shape{2, 1}, {1, 1}, DType::kInt32);
  EXPECT_THAT(value("MatMul", {big, ones}).values, ElementsAre(-2));
}

TEST(Reduce, IntegersEmptyAndNoop) {
  EXPECT_THAT(value("ReduceSum", {ints({127, 1}, DType::kInt8)}).values, ElementsAre(-128));
  EXPECT_THAT(value("ReduceMean", {ints({-3, -4})}).values, ElementsAre(-3));
  EXPECT_EQ(value("ReduceMax", {tensor(Shape{0}, {})})[0], -INFINITY);
  EXPECT_EQ(value("ReduceLogSumExp", {list({1000, 1000})})[0], 1000 + M_LN2);
  EXPECT_THAT(value("ReduceSum", {list({1, 2}), tensor(Shape{0}, {}, DType::kInt64)},
                    {{"noop_with_empty_axes", int64_t{1}}})
                  .values,
              ElementsAre(1, 2));
}

TEST(Shapes, SplitPadAndSliceInNewerForms) {
  auto parts = apply("Split", {list({1, 2, 3, 4, 5})}, {{"num_outputs", int64_t{2}}}, 2);
  ASSERT_TRUE(parts.ok());
  EXPECT_THAT((*parts)[1].values, ElementsAre(4, 5));
  const RefTensor x = list({1, 2, 3}), pads = list({2, 1}, DType::kInt64);
  const auto pad = [&](const char* mode) {
    return value("Pad", {x, pads}, {{"mode", std::string(mode)}});
  };
  EXPECT_THAT(pad("wrap").values, ElementsAre(2, 3, 1, 2, 3, 1));
  EXPECT_THAT(pad("reflect").values, ElementsAre(3, 2, 1, 2, 3, 2));
  EXPECT_THAT(value("Pad", {x, list({-1, 0}, DType::kInt64)}).values, ElementsAre(2, 3));
  const auto slice = [&](double start, double end, double step) {
    return value("Slice", {x, ints({start}), ints({end}), ints({0}), ints({step})}).values;
  };
  EXPECT_THAT(slice(-1, -100, -2), ElementsAre(3, 1));
  EXPECT_TRUE(slice(2, 2, 1).empty());
}

TEST(Values, MustBeOnesOfTheirDtype) {
  expect_error(apply("Identity", {ints({0.5})}), "OPK-REF-008",
               "input 0 of dtype int32 has the value 0.5");
  expect_error(apply("Identity", {list({2}, DType::kBool)}), "OPK-REF-008", "dtype bool");
  expect_error(apply("Clip", {ints({3}), ints({0}), ints({2})}, {}, 2), "OPK-REF-002", "2 outputs");
  expect_error(apply("Clip", {ints({3})}, {{"max", 1.5}}, 1, 6), "OPK-REF-012",
               "output 0 of dtype int32 would have the value 1.5");
}

TEST(Quantize, TiesAreThoseOfTheScalesType) {
  const RefTensor scale = tensor(Shape{}, {rounded_to(DType::kFloat32, 5.0 / 255)});
  const RefTensor zero = tensor(Shape{}, {153}, DType::kUInt8);
  EXPECT_THAT(value("QuantizeLinear", {list({0.5, 1e9, -1e9}), scale, zero}).values,
              ElementsAre(179, 255, 0));
  expect_error(apply("QuantizeLinear", {list({NAN}), scale, zero}), "OPK-REF-012", "NaN");
}

TEST(Recurrent, BidirectionalRnnReadsBackwards) {
  const RefTensor x = tensor(Shape{2, 1, 1}, {1, 2});
  const RefTensor w = tensor(Shape{2, 1, 1}, {1, 1}), r = tensor(Shape{2, 1, 1}, {10, 10});
  const Attributes a = {{"direction", std::string("bidirectional")},
                        {"activations", std::vector<std::string>{"Relu", "Relu"}}};
  EXPECT_THAT(value("RNN", {x, w, r}, a).values, ElementsAre(1, 21, 12, 2));
}

// One sample in the middle of each pixel of a box of whole pixels is the pixel.
TEST(RoiAlign, TakesPixelsAndRefusesWhatIsNotSaid) {
  const RefTensor x = tensor(Shape{2, 1, 2, 3}, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60});
  const RefTensor boxes = tensor(Shape{2, 4}, {0, 0, 3, 2, 1, 0, 3, 1});
  Attributes attributes = {
      {"output_height", int64_t{2}}, {"output_width", int64_t{3}}, {"sampling_ratio", int64_t{1}}};
  const RefTensor whole =
      value("RoiAlign", {x, boxes, ints({1, 0}, DType::kInt64)}, attributes, 16);
  EXPECT_EQ(whole.shape, (Shape{2, 1, 2, 3}));
  EXPECT_THAT(std::vector<double>(whole.values.begin(), whole.values.begin() + 6),
              ElementsAre(10, 20, 30, 40, 50, 60));
  expect_error(apply("RoiAlign", {x, boxes, ints({1, 2}, DType::kInt64)}, attributes, 1, 16),
               "OPK-REF-010", "box 1 is of picture 2 of 2");
  for (const double bad : {std::nan(""), HUGE_VAL, 1e300, 1e5}) {
    const RefTensor odd = tensor(Shape{2, 4}, {0, 0, 3, 2, 1, 0, 3, bad});
    expect_error(apply("RoiAlign", {x, odd, ints({1, 0}, DType::kInt64)}, {}, 1, 16), "OPK-REF-013",
                 "box 1 is not finite");
    const RefTensor wide = tensor(Shape{2, 4}, {0, 0, bad, 2, 1, 0, 3, 1});
    expect_error(apply("RoiAlign", {x, wide, ints({1, 0}, DType::kInt64)}, {}, 1, 16),
                 "OPK-REF-013", "box 0 is not finite");
  }
  const RefTensor nothing = tensor(Shape{1, 1, 0, 3}, {});
  expect_error(apply("RoiAlign", {nothing, boxes, ints({0, 0}, DType::kInt64)}, {}, 1, 16),
               "OPK-REF-006", "do not fit");
  expect_error(apply("RoiAlign", {x, boxes, ints({1, 0}, DType::kInt64)},
                     {{"output_height", int64_t{0}}}, 1, 16),
               "OPK-REF-005", "at least 1");
  attributes.insert({"mode", std::string("max")});
  expect_error(apply("RoiAlign", {x, boxes, ints({1, 0}, DType::kInt64)}, attributes, 1, 16),
               "OPK-REF-011", "mode 'max'");
}

}  // namespace
}  // namespace opkit::reference
