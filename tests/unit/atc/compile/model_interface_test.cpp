// --out_nodes, --output_type and --input_fp16_nodes: what they make of a graph, and what is
// refused.
#include "opkit/atc/compile/model_interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::compile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

graph::Graph net() {
  auto graph = graph::parse_text(
      "input x: float32[3]\ninput n: int64[3]\nconst two: float32[] = 2\n"
      "double = Mul(x, two) @\"mul\"\n"
      "up, place = TopK(double, k) {axis=0} @\"top\"\n"
      "const k: int64[1] = 3\n"
      "y = Relu(double) @\"relu\"\n"
      "z = Neg(y) @\"neg\"\n"
      "output y\noutput z\n");
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(graph::sort_nodes(*graph).ok());
  EXPECT_TRUE(reference::infer(*graph).ok());
  return std::move(*graph);
}

struct Changed {
  std::string error;
  graph::Graph graph;
};

Changed changed(const InterfaceFlags& flags) {
  Changed made{"", net()};
  const Status status = change_interface(made.graph, flags);
  if (!status.ok()) made.error = status.error().to_string();
  EXPECT_TRUE(!status.ok() || graph::validate(made.graph).ok());
  return made;
}

std::vector<double> computed(const graph::Graph& graph, const std::string& output) {
  const DType dtype = graph.values.at("x").dtype;
  const auto results = reference::evaluate(graph, {{"x", {dtype, Shape({3}), {-1, 1.5, 200}}},
                                                   {"n", {DType::kInt64, Shape({3}), {0, 0, 0}}}});
  EXPECT_TRUE(results.ok()) << results.error().to_string();
  return results.ok() ? results->at(output).values : std::vector<double>();
}

TEST(ModelInterface, WithoutFlagsStaysAsItIs) {
  EXPECT_EQ(graph::to_text(changed({}).graph), graph::to_text(net()));
}

TEST(ModelInterface, TakesNodesAndValuesAsOutputs) {
  const Changed made = changed({.out_nodes = "top:1;double;relu:0"});
  EXPECT_EQ(made.error, "");
  EXPECT_THAT(made.graph.outputs, ElementsAre("place", "double", "y"));
  EXPECT_THAT(computed(made.graph, "place"), ElementsAre(2, 1, 0));
  EXPECT_THAT(changed({.out_nodes = "neg"}).graph.outputs, ElementsAre("z"));
}

TEST(ModelInterface, GivesOutputsInAnotherType) {
  const Changed all = changed({.output_type = "FP16"});
  EXPECT_EQ(all.error, "");
  EXPECT_THAT(all.graph.outputs, ElementsAre("y", "z"));
  EXPECT_EQ(all.graph.values.at("y").dtype, DType::kFloat16);
  EXPECT_EQ(all.graph.values.at("z").dtype, DType::kFloat16);
  EXPECT_THAT(computed(all.graph, "z"), ElementsAre(0, -3, -400)) << "z still reads the float32";
  const Changed one = changed({.output_type = "neg:0:INT8;y:UINT8"});
  EXPECT_EQ(one.error, "");
  EXPECT_EQ(one.graph.values.at("z").dtype, DType::kInt8);
  EXPECT_EQ(one.graph.values.at("y").dtype, DType::kUInt8);
  for (const auto& [word, dtype] :
       {std::pair{"INT32", DType::kInt32}, {"UINT64", DType::kUInt64}, {"DOUBLE", DType::kFloat64}})
    EXPECT_EQ(changed({.output_type = word}).graph.values.at("z").dtype, dtype) << word;
  const Changed same = changed({.output_type = "FP32"});
  EXPECT_EQ(graph::to_text(same.graph), graph::to_text(net())) << "they are float32";
  const Changed cut = changed({.out_nodes = "top:1", .output_type = "FP32"});
  EXPECT_EQ(cut.graph.values.at("place").dtype, DType::kFloat32);
}

TEST(ModelInterface, ADeclarationFollowsItsOutput) {
  graph::Graph graph = net();
  graph.declared["y"].dtype = DType::kFloat32;
  ASSERT_TRUE(change_interface(graph, {.output_type = "FP16"}).ok());
  EXPECT_EQ(graph.declared.at("y").dtype, DType::kFloat16);
}

TEST(ModelInterface, TakesInputsAsHalf) {
  const Changed made = changed({.input_fp16_nodes = "x"});
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.graph.values.at("x").dtype, DType::kFloat16);
  EXPECT_EQ(made.graph.values.at("y").dtype, DType::kFloat32);
  EXPECT_THAT(computed(made.graph, "y"), ElementsAre(0, 3, 400));
}

TEST(ModelInterface, RefusesWhatIsNotThere) {
  EXPECT_THAT(changed({.out_nodes = "rellu:0"}).error,
              testing::AllOf(HasSubstr("E10001: value [rellu:0] for parameter [--out_nodes] is "
                                       "invalid. Reason: the model has no node 'rellu'"),
                             HasSubstr("did you mean 'relu'?")));
  EXPECT_THAT(changed({.out_nodes = "relu:1"}).error,
              testing::AllOf(HasSubstr("node 'relu' has no output 1"),
                             HasSubstr("its outputs are 0 to 0")));
  EXPECT_THAT(changed({.out_nodes = "relu:first"}).error,
              HasSubstr("'relu:first' is no node and number of an output"));
  EXPECT_THAT(changed({.out_nodes = "relu:0;y"}).error, HasSubstr("'y' stands there twice"));
  EXPECT_THAT(changed({.out_nodes = ";"}).error, HasSubstr("it names no output"));
  EXPECT_THAT(changed({.output_type = "FP61"}).error,
              testing::AllOf(HasSubstr("'FP61' ends in no type of an output"),
                             HasSubstr("types are FP32, FP16, UINT8, INT8, UINT16")));
  EXPECT_THAT(changed({.output_type = "mul:0:FP16"}).error,
              HasSubstr("'double' is no output of the model"));
  for (const char* twice : {"y:FP16;y:UINT8", "relu:0:FP16;relu:0:FP16", "y:FP16;relu:0:UINT8"})
    EXPECT_THAT(changed({.output_type = twice}).error, HasSubstr("output 'y' stands there twice"));
  EXPECT_THAT(changed({.out_nodes = "x", .output_type = "FP16"}).error,
              HasSubstr("output 'x' is an input or a constant"));
  EXPECT_THAT(changed({.input_fp16_nodes = "X"}).error,
              testing::AllOf(HasSubstr("parameter [--input_fp16_nodes]"),
                             HasSubstr("the model has no input 'X'")));
  EXPECT_THAT(changed({.input_fp16_nodes = "n"}).error, HasSubstr("input 'n' has type int64"));
  EXPECT_THAT(changed({.out_nodes = "x", .input_fp16_nodes = "x"}).error,
              HasSubstr("input 'x' is an output, too"));
}

TEST(ModelInterface, SaysWhatAxesInputsHave) {
  model::OfflineModel model;
  for (const Shape& shape : {Shape{1, 3, 4, 4}, Shape{2, 3}, Shape{1, 6, 4, 1}, Shape{96}}) {
    model.inputs.push_back(static_cast<uint32_t>(model.tensors.size()));
    model.tensors.push_back({});
    model.tensors.back().desc.shape = shape;
  }
  model.aipp.resize(2);
  model.aipp[0].input = 2, model.aipp[1].input = 3;
  model.aipp[1].dynamic = true;
  const auto formats = [&](const std::string& input_format) {
    model::OfflineModel one = model;
    state_input_formats(one, input_format);
    std::vector<Format> all;
    for (const auto& tensor : one.tensors) all.push_back(tensor.desc.format);
    return all;
  };
  EXPECT_THAT(formats("NCHW"), ElementsAre(Format::kNCHW, Format::kND, Format::kNHWC, Format::kND));
  EXPECT_THAT(formats("ND"), ElementsAre(Format::kND, Format::kND, Format::kNHWC, Format::kND));
}

}  // namespace
}  // namespace opkit::compile
