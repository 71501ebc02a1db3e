#include "opkit/atc/ge/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "all_ops.h"
#include "opkit/atc/ge/build.h"
#include "opkit/atc/ge/prototypes.h"
#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"

namespace opkit::ge_frontend {
namespace {

using ge::Operator;
using ge::Tensor;
using ge::TensorDesc;
using testing::ElementsAre;
using testing::HasSubstr;

namespace op = ge::op;

TensorDesc desc(std::vector<int64_t> dims, ge::DataType type = ge::DT_FLOAT,
                ge::Format format = ge::FORMAT_ND) {
  return TensorDesc(ge::Shape(std::move(dims)), format, type);
}

op::Data data(const char* name, std::vector<int64_t> dims, ge::DataType type = ge::DT_FLOAT) {
  op::Data made(name);
  made.update_input_desc_x(desc(std::move(dims), type));
  return made;
}

op::Const floats(const char* name, std::vector<int64_t> dims, std::vector<float> values) {
  Tensor tensor(desc(std::move(dims)), reinterpret_cast<const uint8_t*>(values.data()),
                values.size() * sizeof(float));
  return op::Const(name).set_attr_value(tensor);
}

op::Const integers(const char* name, std::vector<int32_t> values) {
  Tensor tensor(desc({static_cast<int64_t>(values.size())}, ge::DT_INT32),
                reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(int32_t));
  return op::Const(name).set_attr_value(tensor);
}

ge::Graph graph_of(std::vector<Operator> inputs, std::vector<Operator> outputs) {
  ge::Graph graph("g");
  graph.SetInputs(inputs).SetOutputs(outputs);
  return graph;
}

Result<graph::Graph> lowered(std::vector<Operator> inputs, std::vector<Operator> outputs) {
  return lower(graph_of(std::move(inputs), std::move(outputs)));
}

// Returns what the graph of one input and one output computes of these values.
std::vector<double> computed(const Operator& input, const Operator& output,
                             std::vector<double> values) {
  const auto graph = lowered({input}, {output});
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  const graph::ValueInfo& in = graph->values.at(graph->inputs[0]);
  const auto results =
      reference::evaluate(*graph, {{graph->inputs[0], {in.dtype, *in.shape, std::move(values)}}});
  EXPECT_TRUE(results.ok()) << results.error().to_string();
  return results.ok() ? results->at(graph->outputs[0]).values : std::vector<double>();
}

std::string refusal(std::vector<Operator> inputs, std::vector<Operator> outputs) {
  const auto graph = lowered(std::move(inputs), std::move(outputs));
  EXPECT_FALSE(graph.ok());
  return graph.ok() ? "" : graph.error().to_string();
}

// Inputs whose numbers an operator must know.
const std::map<std::string, std::vector<int32_t>>& known_numbers() {
  static const std::map<std::string, std::vector<int32_t>> all = {
      {"perm", {0, 1, 2, 3}},     {"axis", {0}},           {"concat_dim", {0}},
      {"split_dim", {0}},         {"size_splits", {1}},    {"offsets", {0, 0, 0, 0}},
      {"begin", {0, 0, 0, 0}},    {"end", {1, 1, 1, 1}},   {"strides", {1, 1, 1, 1}},
      {"paddings", {0, 0, 0, 0}}, {"shape", {1, 1, 1, 1}}, {"multiples", {1, 1, 1, 1}}};
  return all;
}

// Chosen so that every operator of the table takes them.
Operator filled(const Prototype& prototype, const Operator& x) {
  Operator made("node", prototype.type.c_str());
  for (const PrototypeInput& input : prototype.inputs) {
    const bool dynamic = input.presence == Presence::kDynamic;
    const auto numbers = known_numbers().find(input.name);
    if (numbers != known_numbers().end() && input.presence == Presence::kRequired)
      made.SetInput(input.name.c_str(), integers(input.name.c_str(), numbers->second));
    else if (input.presence != Presence::kOptional)
      made.SetInput((input.name + (dynamic ? "0" : "")).c_str(), x);
  }
  for (const PrototypeAttribute& attribute : prototype.attributes) {
    if (attribute.name == "data_format") made.SetAttr("data_format", "NCHW");
    if (attribute.otherwise) continue;
    if (attribute.kind == AttrValue(int64_t{}).index())
      made.SetAttr(attribute.name, int64_t{attribute.name == "num_split"});
    if (attribute.kind == AttrValue(std::string()).index()) made.SetAttr(attribute.name, "SAME");
    if (attribute.kind == AttrValue(std::vector<int64_t>()).index())
      made.SetAttr(attribute.name, std::vector<int64_t>{1, 1, 1, 1});
  }
  return made;
}

TEST(Rules, ThereIsOneForEveryOperator) {
  for (const std::string& type : prototype_types()) {
    if (type == "Data" || type == "Const" || type == "Constant") continue;
    const auto x = data("x", {1, 1, 1, 1});
    Operator made = filled(*find_prototype(type), x);
    if (type == "BatchNorm") made.SetAttr("is_training", false);
    if (type == "BatchNorm") made.SetInput("mean", x).SetInput("variance", x);
    if (type == "BiasAdd") made.SetAttr("data_format", "NHWC");
    if (type == "Unsqueeze") made.SetAttr("axes", std::vector<int64_t>{0});
    if (type == "SplitVD") made.SetAttr("size_splits", std::vector<int64_t>{1});
    if (type == "Slice") made.SetInput("size", integers("size", {1, 1, 1, 1}));
    if (type.starts_with("Resize")) made.SetInput("size", integers("size", {1, 1}));
    const auto graph = lowered({x}, {made});
    EXPECT_TRUE(graph.ok()) << type << ": " << graph.error().to_string();
  }
}

TEST(Lower, ValuesHaveTheNamesOfTheirOperators) {
  auto x = data("x", {2, 3});
  auto relu = op::Relu("relu").set_input_x(x);
  auto sum = op::Add("sum").set_input_x1(relu).set_input_x2(x, "y");
  const auto graph = lowered({x}, {sum, relu});
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_THAT(graph->inputs, ElementsAre("x"));
  EXPECT_THAT(graph->outputs, ElementsAre("sum", "relu"));
  ASSERT_EQ(graph->nodes.size(), 2u);
  EXPECT_EQ(graph->nodes[0].op_type, "Relu");
  EXPECT_THAT(graph->nodes[1].inputs, ElementsAre("relu", "x"));
  EXPECT_EQ(*graph->values.at("x").shape, Shape({2, 3}));
}

TEST(Lower, InputsKeepTheirOrder) {
  auto a = data("a", {2}), b = data("b", {2}, ge::DT_FLOAT16);
  auto sum = op::Add("sum").set_input_x1(b).set_input_x2(a);
  const auto graph = lowered({b, a}, {sum});
  ASSERT_TRUE(graph.ok());
  EXPECT_THAT(graph->inputs, ElementsAre("b", "a"));
  EXPECT_EQ(graph->values.at("b").dtype, DType::kFloat16);
}

TEST(Lower, InputsHaveThePlacesOfTheirIndices) {
  auto a = data("a", {2}), b = data("b", {2}), c = data("c", {2});
  auto sum =
      op::Add("sum").set_input_x1(a).set_input_x2(op::Add("bc").set_input_x1(b).set_input_x2(c));
  const auto order = [&] { return lowered({a, b, c}, {sum})->inputs; };
  EXPECT_THAT(order(), ElementsAre("a", "b", "c")) << "nobody set one";
  a.set_attr_index(2), c.set_attr_index(1);
  EXPECT_THAT(order(), ElementsAre("b", "c", "a")) << "0 where it is not set";
  b.set_attr_index(0);
  EXPECT_THAT(order(), ElementsAre("b", "c", "a"));
}

TEST(Lower, ComputesWhatOperatorsMean) {
  auto x = data("x", {4});
  const std::vector<double> values = {-2, 0.5, 3, 8};
  EXPECT_THAT(computed(x, op::Relu6("y").set_input_x(x), values), ElementsAre(0, 0.5, 3, 6));
  EXPECT_THAT(computed(x, op::Square("y").set_input_x(x), values), ElementsAre(4, 0.25, 9, 64));
  EXPECT_THAT(computed(x, op::LeakyRelu("y").set_input_x(x).set_attr_negative_slope(0.25f), values),
              ElementsAre(-0.5, 0.5, 3, 8));
  auto two = floats("two", {}, {2});
  EXPECT_THAT(computed(x, op::RealDiv("y").set_input_x1(x).set_input_x2(two), values),
              ElementsAre(-1, 0.25, 1.5, 4));
  EXPECT_THAT(computed(x, op::Cast("y").set_input_x(x).set_attr_dst_type(ge::DT_INT32), values),
              ElementsAre(-2, 0, 3, 8));
  auto many = op::AddN("y").create_dynamic_input_x(3).set_attr_N(3);
  for (uint32_t i = 0; i < 3; ++i) many.set_dynamic_input_x(i, x);
  EXPECT_THAT(computed(x, many, values), ElementsAre(-6, 1.5, 9, 24));
}

TEST(Lower, WindowsHaveTheVendorsOrderOfPads) {
  auto x = data("x", {1, 1, 2, 2});
  auto w = floats("w", {1, 1, 1, 1}, {2});
  // One row above, two columns on the right.
  auto conv = op::Conv2D("c")
                  .set_input_x(x)
                  .set_input_filter(w)
                  .set_attr_strides({1, 1, 1, 1})
                  .set_attr_pads({1, 0, 0, 2})
                  .set_attr_data_format("NCHW");
  EXPECT_THAT(computed(x, conv, {1, 2, 3, 4}), ElementsAre(0, 0, 0, 0, 2, 4, 0, 0, 6, 8, 0, 0));
  auto pool =
      op::MaxPoolV3("p").set_input_x(x).set_attr_ksize({1, 1, 2, 2}).set_attr_strides({1, 1, 1, 1});
  EXPECT_THAT(computed(x, pool, {1, 2, 3, 4}), ElementsAre(4));
  auto mean = op::AvgPoolV2("a")
                  .set_input_x(x)
                  .set_attr_ksize({1, 1, 2, 2})
                  .set_attr_strides({1, 1, 2, 2})
                  .set_attr_pads({1, 1, 0, 0});
  EXPECT_THAT(computed(x, mean, {1, 2, 3, 4}), ElementsAre(1.5, 3.5));
  EXPECT_THAT(computed(x, mean.set_attr_exclusive(false), {1, 2, 3, 4}), ElementsAre(0.75, 1.75));
}

TEST(Lower, ProductsAndRows) {
  auto x = data("x", {1, 2});
  auto w = floats("w", {2, 2}, {1, 2, 3, 4});
  auto bias = floats("b", {2}, {10, 20});
  auto product = op::MatMulV2("m").set_input_x1(x).set_input_x2(w).set_input_bias(bias);
  EXPECT_THAT(computed(x, product, {1, 1}), ElementsAre(14, 26));
  EXPECT_THAT(computed(x, product.set_attr_transpose_x2(true), {1, 1}), ElementsAre(13, 27));
  auto sum = op::ReduceSumD("s").set_input_x(x).set_attr_axes({1}).set_attr_keep_dims(true);
  EXPECT_THAT(computed(x, sum, {3, 4}), ElementsAre(7));
  auto mean = op::ReduceMeanD("s").set_input_x(x).set_attr_axes({1});
  EXPECT_THAT(computed(x, mean, {3, 4}), ElementsAre(3.5));
  EXPECT_THAT(computed(x, op::SoftmaxV2("s").set_input_x(x), {1, 1}), ElementsAre(0.5, 0.5));
}

TEST(Lower, DimsAndPlaces) {
  auto x = data("x", {2, 3});
  auto dims = integers("dims", {3, -1});
  auto turned = op::TransposeD("t").set_input_x(x).set_attr_perm({1, 0});
  EXPECT_THAT(computed(x, turned, {1, 2, 3, 4, 5, 6}), ElementsAre(1, 4, 2, 5, 3, 6));
  auto shaped = op::Reshape("r").set_input_x(turned).set_input_shape(dims);
  EXPECT_THAT(computed(x, shaped, {1, 2, 3, 4, 5, 6}), ElementsAre(1, 4, 2, 5, 3, 6));
  auto both = op::ConcatD("k").create_dynamic_input_x(2).set_attr_concat_dim(1);
  both.set_dynamic_input_x(0, x).set_dynamic_input_x(1, x);
  EXPECT_THAT(computed(x, both, {1, 2, 3, 4, 5, 6}),
              ElementsAre(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6));
}

TEST(Lower, OpenDimsAreStated) {
  auto x = data("x", {-1, 3});
  const auto graph = graph_of({x}, {op::Relu("r").set_input_x(x)});
  const auto stated = lower(graph, {{"x", Shape({4, 3})}});
  ASSERT_TRUE(stated.ok());
  EXPECT_EQ(*stated->values.at("x").shape, Shape({4, 3}));
  EXPECT_EQ(lower(graph, {{"x", Shape({4, 2})}}).error().code, "E10001");
  EXPECT_EQ(lower(graph, {{"z", Shape({4, 3})}}).error().code, "E10001");
}

TEST(Lower, DeepGraphsAreNoRecursion) {
  auto x = data("x", {1});
  Operator last = x;
  for (int i = 0; i < 100000; ++i) last = op::Neg().set_input_x(last);
  const auto graph = lowered({x}, {last});
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(graph->nodes.size(), 100000u);
}

TEST(Refused, GraphsThatAreNone) {
  auto x = data("x", {2});
  auto relu = op::Relu("r").set_input_x(x);
  EXPECT_THAT(refusal({}, {relu}), HasSubstr("OPK-GE-001"));
  EXPECT_THAT(refusal({x}, {}), HasSubstr("has no outputs"));
  EXPECT_THAT(refusal({x, x}, {relu}), HasSubstr("names x twice"));
  EXPECT_THAT(refusal({x}, {relu, relu}), HasSubstr("names r twice"));
  EXPECT_THAT(refusal({relu}, {relu}), HasSubstr("input r is a Relu"));
  auto other = data("z", {2});
  EXPECT_THAT(refusal({x}, {op::Relu("r").set_input_x(other)}), HasSubstr("does not name"));
  auto twin = op::Relu("r").set_input_x(relu);
  EXPECT_THAT(refusal({x}, {twin}), HasSubstr("two operators are called 'r'"));
  auto a = op::Add("a"), b = op::Add("b");
  a.set_input_x1(x).set_input_x2(b);
  b.set_input_x1(x).set_input_x2(a);
  EXPECT_THAT(refusal({x}, {a}), HasSubstr("wait for each other: b reads a"));
  b.set_input_x2(x);  // so that nobody holds itself
}

TEST(Refused, IndicesThatAreNoOrder) {
  auto a = data("a", {2}), b = data("b", {2});
  auto sum = op::Add("sum").set_input_x1(a).set_input_x2(b);
  a.set_attr_index(0);
  EXPECT_THAT(refusal({a, b}, {sum}),
              HasSubstr("OPK-GE-001: a and b (Data) have index 0; unset ones have 0"));
  b.set_attr_index(2);
  const std::string gap = refusal({a, b}, {sum});
  EXPECT_THAT(gap, HasSubstr("OPK-GE-001: b (Data) has index 2 of 2 inputs"));
  EXPECT_THAT(gap, HasSubstr("set_attr_index of every op::Data: 0 to 1, each once"));
  b.set_attr_index(-1);
  EXPECT_THAT(refusal({a, b}, {sum}), HasSubstr("b (Data) has index -1 of 2 inputs"));
  EXPECT_THAT(refusal({a, a}, {sum}), HasSubstr("names a twice"));
}

TEST(Refused, OperatorsThatAreNotKnown) {
  auto x = data("x", {2});
  const std::string text = refusal({x}, {Operator("r", "Reluu").SetInput("x", x)});
  EXPECT_THAT(text, testing::AllOf(HasSubstr("OPK-GE-002"), HasSubstr("did you mean 'Relu'")));
}

TEST(Refused, InputsAndAttributes) {
  auto x = data("x", {2});
  EXPECT_THAT(refusal({x}, {op::Relu("r")}), HasSubstr("OPK-GE-003"));
  EXPECT_THAT(refusal({x}, {op::Relu("r")}), HasSubstr("input 'x' is not set"));
  EXPECT_THAT(refusal({x}, {Operator("r", "Relu").SetInput("x", x).SetInput("z", x)}),
              HasSubstr("no input 'z'"));
  auto sum = op::ReduceSumD("s").set_input_x(x);
  EXPECT_THAT(refusal({x}, {sum}), HasSubstr("attribute 'axes' is not set"));
  sum.SetAttr("axes", int64_t{1});
  EXPECT_THAT(refusal({x}, {sum}), HasSubstr("attribute 'axes' is Int, wanted is ListInt"));
  EXPECT_THAT(refusal({x}, {op::Relu("r").set_input_x(x).SetAttr("alpha", 1.0f)}),
              HasSubstr("no attribute 'alpha'"));
  EXPECT_THAT(refusal({x}, {op::Relu("r").set_input_x(x, "z")}), HasSubstr("has no output z"));
  auto norm = op::LayerNorm("n").set_input_x(x).set_input_gamma(x).set_input_beta(x);
  EXPECT_THAT(refusal({x}, {op::Relu("r").set_input_x(norm, "mean")}),
              HasSubstr("output mean is not computed"));
  EXPECT_THAT(refusal({x}, {op::Exp("e").set_input_x(x).set_attr_base(2.0f)}),
              HasSubstr("base is 2, only -1 is compiled"));
  EXPECT_THAT(
      refusal({x},
              {op::AddN("s").create_dynamic_input_x(2).set_dynamic_input_x(0, x).set_attr_N(2)}),
      HasSubstr("has 1 tensors of 2"));
}

TEST(Refused, DataAndConstants) {
  op::Data bare("x");
  EXPECT_THAT(refusal({bare}, {op::Relu("r").set_input_x(bare)}), HasSubstr("no description"));
  bare.update_input_desc_x(desc({1, 2, 2, 3}, ge::DT_FLOAT, ge::FORMAT_NHWC));
  EXPECT_THAT(refusal({bare}, {op::Relu("r").set_input_x(bare)}), HasSubstr("format 1"));
  bare.update_input_desc_x(desc({2}, ge::DT_STRING));
  EXPECT_THAT(refusal({bare}, {op::Relu("r").set_input_x(bare)}), HasSubstr("element type 13"));
  auto x = data("x", {2});
  auto short_one = floats("c", {3}, {1, 2});
  EXPECT_THAT(refusal({x}, {op::Add("s").set_input_x1(x).set_input_x2(short_one)}),
              HasSubstr("8 bytes are given for float32[3]"));
}

TEST(Options, AreKnownAndInTheirCall) {
  EXPECT_TRUE(check_options({{"soc_version", "Ascend910B1"}}, true).ok());
  const auto code = [](const BuildOptions& options, bool for_process) {
    const Status checked = check_options(options, for_process);
    return checked.ok() ? std::string() : checked.error().code;
  };
  EXPECT_EQ(code({{"soc_versoin", "Ascend910B1"}}, true), "OPK-GE-004");
  EXPECT_EQ(code({{"aicore_num", "20"}}, false), "OPK-GE-004");
  EXPECT_EQ(code({{"output_type", "FP16"}}, false), "");
  EXPECT_EQ(code({{"output_type", "FP16"}}, true), "OPK-GE-004");
  EXPECT_EQ(code({{"core_type", "AiCore"}}, true), "");
  EXPECT_EQ(code({{"core_type", "VectorCore"}}, true), "E10001");
  EXPECT_EQ(code({{"input_shape", "x:1"}}, true), "OPK-GE-004");
  EXPECT_EQ(code({{"input_shape", "x:1"}}, false), "");
  EXPECT_EQ(code({{"input_format", "NHWC"}}, false), "E10001");
  EXPECT_EQ(code({{"precision_mode", "no"}}, true), "E10001");
  EXPECT_NE(code({{"soc_version", "Ascend1"}}, true), "");
}

op::Const one_integer(const char* name, int32_t value) { return integers(name, {value}); }

// x: 0 1 2 3 / 4 5 6 7 / 8 9 10 11
const std::vector<double> kTwelve = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

TEST(Lower, StridedSlicesFollowTheirMasks) {
  const auto x = data("x", {3, 4});
  op::StridedSliceV2 plain("s");
  plain.set_input_x(x).set_input_begin(integers("b", {1, 0}));
  plain.set_input_end(integers("e", {3, 4})).set_input_strides(integers("t", {1, 2}));
  EXPECT_THAT(computed(x, plain, kTwelve), ElementsAre(4, 6, 8, 10));
  op::StridedSliceV2 axis("s");
  axis.set_input_x(x).set_input_begin(integers("b", {-1})).set_input_end(integers("e", {0}));
  axis.set_input_axes(integers("a", {1})).set_attr_end_mask(1);
  EXPECT_THAT(computed(x, axis, kTwelve), ElementsAre(3, 7, 11));
  op::StridedSlice dropped("s");
  dropped.set_input_x(x)
      .set_input_begin(integers("b", {-1, 3}))
      .set_input_end(integers("e", {9, 0}));
  dropped.set_input_strides(integers("t", {1, -1})).set_attr_shrink_axis_mask(1);
  dropped.set_attr_begin_mask(2).set_attr_end_mask(2);
  EXPECT_THAT(computed(x, dropped, kTwelve), ElementsAre(11, 10, 9, 8));
  dropped.set_attr_new_axis_mask(1);
  EXPECT_THAT(refusal({x}, {dropped}), HasSubstr("new_axis_mask is 1, only 0 is compiled"));
  op::Slice sized("s");
  sized.set_input_x(x)
      .set_input_offsets(integers("o", {1, 1}))
      .set_input_size(integers("z", {-1, 2}));
  EXPECT_THAT(computed(x, sized, kTwelve), ElementsAre(5, 6, 9, 10));
}

TEST(Lower, PartsOfASplitAreReadByNumberAndByName) {
  const auto x = data("x", {3, 4});
  op::SplitV parts("p");
  parts.set_input_x(x).set_input_size_splits(integers("z", {1, -1}));
  parts.set_input_split_dim(one_integer("d", 1)).set_attr_num_split(2).create_dynamic_output_y(2);
  auto second = op::Identity("i").set_input_x_by_name(parts, "y1");
  EXPECT_THAT(computed(x, second, kTwelve), ElementsAre(1, 2, 3, 5, 6, 7, 9, 10, 11));
  auto third = op::Identity("i").set_input_x(parts, 2U);
  EXPECT_THAT(refusal({x}, {third}), HasSubstr("p (SplitV) has no output 2"));
  op::SplitD even("q");
  even.set_input_x(x).set_attr_split_dim(0).set_attr_num_split(3);
  auto last = op::Identity("i").set_input_x(even, 2U);
  EXPECT_THAT(computed(x, last, kTwelve), ElementsAre(8, 9, 10, 11));
  auto whole = op::SplitV("p").set_input_x(x).set_input_size_splits(integers("z", {1}));
  whole.set_input_split_dim(one_integer("d", 7)).set_attr_num_split(1);
  EXPECT_THAT(refusal({x}, {whole}), HasSubstr("1 size_splits for 1 parts of dim 7"));
}

TEST(Lower, ResizesAsTheVendorsOperatorsDo) {
  const auto x = data("x", {1, 1, 2, 2});
  const auto resized = [&](bool corners, bool centers) {
    op::ResizeNearestNeighborV2 r("r");
    r.set_input_x(x).set_input_size(integers("z", {3, 2}));
    r.set_attr_align_corners(corners).set_attr_half_pixel_centers(centers);
    return computed(x, r, {1, 2, 3, 4});
  };
  EXPECT_THAT(resized(false, false), ElementsAre(1, 2, 1, 2, 3, 4));  // floor(i * 2 / 3)
  EXPECT_THAT(resized(false, true), ElementsAre(1, 2, 3, 4, 3, 4));   // floor((i + 0.5) * 2 / 3)
  EXPECT_THAT(resized(true, false), ElementsAre(1, 2, 3, 4, 3, 4));   // round(i / 2)
  op::ResizeBilinearV2 linear("l");
  linear.set_input_x(x).set_input_size(integers("z", {3, 2})).set_attr_align_corners(true);
  EXPECT_THAT(computed(x, linear, {1, 2, 3, 4}), ElementsAre(1, 2, 2, 3, 3, 4));
  auto both = op::ResizeNearestNeighborV2("r").set_input_x(x).set_input_size(integers("z", {3, 2}));
  both.set_attr_align_corners(true).set_attr_half_pixel_centers(true);
  EXPECT_THAT(refusal({x}, {both}), HasSubstr("exclude each other"));
  const auto size = data("size", {2}, ge::DT_INT32);
  auto open = op::ResizeNearestNeighborV2("r").set_input_x(x).set_input_size(size);
  EXPECT_THAT(refusal({x, size}, {open}), HasSubstr("input 'size' is no constant"));
}

TEST(Lower, PadsAndMovesByConstants) {
  const auto x = data("x", {1, 2});
  op::PadV3 padded("p");
  padded.set_input_x(x).set_input_paddings(integers("a", {0, 1, 1, 0}));
  padded.set_input_constant_values(floats("v", {1}, {9}));
  EXPECT_THAT(computed(x, padded, {1, 2}), ElementsAre(9, 1, 2, 9, 9, 9));
  padded.set_attr_paddings_contiguous(false);  // begins 0, 1; ends 1, 0
  EXPECT_THAT(computed(x, padded, {1, 2}), ElementsAre(9, 1, 2, 9, 9, 9));
  auto clipped =
      op::ClipByValue("c").set_input_x(x).set_input_clip_value_min(floats("l", {}, {1.5}));
  clipped.set_input_clip_value_max(floats("h", {}, {1.75}));
  EXPECT_THAT(computed(x, clipped, {1, 2}), ElementsAre(1.5, 1.75));
  auto turned = op::Transpose("t").set_input_x(x).set_input_perm(integers("o", {1, 0}));
  auto joined = op::ConcatV2("j").create_dynamic_input_x(2).set_attr_N(2);
  joined.set_dynamic_input_x(0, turned).set_dynamic_input_x(1, turned);
  joined.set_input_concat_dim(one_integer("d", 1));
  EXPECT_THAT(computed(x, joined, {1, 2}), ElementsAre(1, 1, 2, 2));
}

}  // namespace
}  // namespace opkit::ge_frontend
