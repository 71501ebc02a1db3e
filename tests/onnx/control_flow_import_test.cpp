// If, Loop, Scan and sequences as the front end takes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_text.h"
#include "opkit/graph/bodies.h"
#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/onnx/import.h"

namespace opkit::onnx_frontend {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const std::string& model) {
  const auto graph = import_model(model);
  return graph.ok() ? std::string() : graph.error().to_string();
}

std::string value_info(const std::string& kind, const std::string& name, int type,
                       const std::string& dims = "") {
  return fmt::format(
      "{} {{ name: \"{}\" type {{ tensor_type {{ elem_type: {} shape {{ {} }} }} }} }} ", kind,
      name, type, dims);
}

// y = x after n additions of a weight that only the body reads.
std::string adding_loop(const std::string& inside = "") {
  return model_of("input " + input("x", "2") + "output " + input("y", "2") +
                  "initializer { name: \"n\" data_type: 7 int64_data: 9223372036854775807 } "
                  "initializer { name: \"yes\" data_type: 9 int32_data: 1 } "
                  "initializer { name: \"w\" dims: 2 data_type: 1 float_data: 1 float_data: 2 } "
                  "node { op_type: \"Loop\" input: \"n\" input: \"yes\" input: \"x\" output: \"y\" "
                  "name: \"loop\" attribute { name: \"body\" type: GRAPH g { name: \"b\" " +
                  value_info("input", "i", 7) + value_info("input", "c", 9) +
                  value_info("input", "v", 1, "dim { dim_value: 2 }") +
                  value_info("output", "on", 9) +
                  value_info("output", "s", 1, "dim { dim_value: 2 }") +
                  "initializer { name: \"limit\" data_type: 1 float_data: 5 } "
                  "node { op_type: \"Add\" input: \"v\" input: \"w\" output: \"s\" } "
                  "node { op_type: \"ReduceMax\" input: \"s\" output: \"m\" "
                  "attribute { name: \"keepdims\" type: INT i: 0 } } "
                  "node { op_type: \"Less\" input: \"m\" input: \"limit\" output: \"on\" } " +
                  inside + "} } }");
}

TEST(ImportControlFlow, BodiesReadTheOutsideByOperands) {
  const auto graph = import_model(adding_loop());
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  ASSERT_EQ(graph->nodes.size(), 1u);
  EXPECT_THAT(graph->nodes[0].inputs, ElementsAre("n", "yes", "x", "w", "y/body/limit"));
  EXPECT_NE(graph->constant("y/body/limit"), nullptr) << "constants of bodies are the graph's";
  const auto body = graph::body_of(graph->nodes[0], "body");
  ASSERT_TRUE(body.ok());
  EXPECT_THAT(body->inputs, ElementsAre("y/body/i", "y/body/c", "y/body/v", "w", "y/body/limit"));
  const auto outputs = reference::evaluate(*graph, {{"x", {DType::kFloat32, Shape{2}, {0, 0}}}});
  ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
  EXPECT_THAT(outputs->at("y").values, ElementsAre(3, 6));
}

// As tools that put models into branches of others write them.
TEST(ImportControlFlow, TypesOfBodiesMayBeEmpty) {
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(adding_loop()));
  onnx::GraphProto& body =
      *model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
  for (auto* values : {body.mutable_input(), body.mutable_output()}) {
    for (auto& value : *values) {
      value.clear_type();
      value.mutable_type()->set_denotation("");
    }
  }
  ASSERT_TRUE(body.output(1).has_type());
  const auto graph = import_model(model.SerializeAsString());
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const auto outputs = reference::evaluate(*graph, {{"x", {DType::kFloat32, Shape{2}, {0, 0}}}});
  ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
  EXPECT_THAT(outputs->at("y").values, ElementsAre(3, 6));
}

TEST(ImportControlFlow, RefusesWhatBodiesCannotHold) {
  EXPECT_THAT(refusal(adding_loop("node { op_type: \"Nonsense\" input: \"v\" output: \"q\" } ")),
              AllOf(HasSubstr("E19010"), HasSubstr("in node q (Nonsense)"),
                    HasSubstr("in node loop (Loop)")));
  EXPECT_THAT(
      refusal(adding_loop("node { op_type: \"SequenceConstruct\" input: \"v\" "
                          "output: \"q\" } ")),
      AllOf(HasSubstr("OPK-ONNX-002: a body has a sequence"), HasSubstr("(SequenceConstruct)")));
  EXPECT_THAT(refusal(adding_loop("input { name: \"q\" type { sequence_type { } } } ")),
              HasSubstr("input 'q' of its body is a sequence"));
  EXPECT_THAT(refusal(adding_loop("node { op_type: \"Add\" input: \"v\" input: \"nowhere\" "
                                  "output: \"q\" } ")),
              HasSubstr("nowhere"));
  const std::string scan = "input " + input("x", "2") + "output " + input("y", "2") +
                           "node { op_type: \"Scan\" input: \"x\" output: \"y\" "
                           "attribute { name: \"num_scan_inputs\" type: INT i: 1 } "
                           "attribute { name: \"body\" type: GRAPH g { " +
                           value_info("input", "p", 1) +
                           "node { op_type: \"Neg\" input: \"p\" output: \"q\" } " +
                           value_info("output", "q", 1) + "} } }";
  EXPECT_THAT(refusal(model_of(scan, 8)), HasSubstr("a Scan of opset 8"));
  EXPECT_EQ(refusal(model_of(scan, 9)), "");
}

std::string split_model(const std::string& rest, const std::string& attributes = "") {
  return model_of("input " + input("x", "5,2") +
                  "output { name: \"y\" } "
                  "initializer { name: \"two\" data_type: 7 int64_data: 2 } "
                  "initializer { name: \"last\" data_type: 7 int64_data: -1 } "
                  "node { op_type: \"SplitToSequence\" input: \"x\" " +
                  attributes + "output: \"s\" name: \"cut\" } " + rest);
}

std::string evaluated_text(const std::string& model) {
  const auto graph = import_model(model);
  if (!graph.ok()) return graph.error().to_string();
  graph::RefTensor x{DType::kFloat32, Shape{5, 2}, {}};
  for (int i = 0; i < 10; ++i) x.values.push_back(i);
  const auto outputs = reference::evaluate(*graph, {{"x", x}});
  if (!outputs.ok()) return outputs.error().to_string();
  std::string text = outputs->at("y").shape.to_string();
  for (const double value : outputs->at("y").values) text += fmt::format(" {}", value);
  return text;
}

TEST(ImportSequences, OfKnownLengthAreTheirTensors) {
  // Chunks of two, the last one of one row.
  EXPECT_EQ(evaluated_text(split_model("node { op_type: \"SequenceAt\" input: \"s\" "
                                       "input: \"last\" output: \"y\" } ",
                                       "input: \"two\" ")),
            "[1, 2] 8 9");
  // Rows without their dim, and all of them joined again.
  const std::string drop = "attribute { name: \"keepdims\" type: INT i: 0 } ";
  EXPECT_EQ(evaluated_text(split_model("node { op_type: \"SequenceAt\" input: \"s\" "
                                       "input: \"two\" output: \"y\" } ",
                                       drop)),
            "[2] 4 5");
  EXPECT_EQ(evaluated_text(split_model("node { op_type: \"ConcatFromSequence\" input: \"s\" "
                                       "output: \"y\" attribute { name: \"axis\" type: INT i: 1 } "
                                       "attribute { name: \"new_axis\" type: INT i: 1 } } ",
                                       drop)),
            "[2, 5] 0 2 4 6 8 1 3 5 7 9");
  EXPECT_EQ(evaluated_text(split_model(
                "node { op_type: \"SequenceErase\" input: \"s\" input: \"two\" output: \"e\" } "
                "node { op_type: \"SequenceInsert\" input: \"e\" input: \"x\" output: \"t\" } "
                "node { op_type: \"SequenceLength\" input: \"t\" output: \"y\" } ")),
            "[] 5");
}

TEST(ImportSequences, OthersAreRefusedByName) {
  EXPECT_THAT(evaluated_text(split_model("node { op_type: \"NonZero\" input: \"x\" output: \"p\" } "
                                         "node { op_type: \"SequenceAt\" input: \"s\" "
                                         "input: \"p\" output: \"y\" name: \"pick\" } ")),
              AllOf(HasSubstr("OPK-ONNX-002: data decide"), HasSubstr("node pick (SequenceAt)")));
  EXPECT_THAT(evaluated_text(split_model("node { op_type: \"SequenceAt\" input: \"s\" "
                                         "output: \"y\" } ")),
              HasSubstr("1 operands and 1 results"));
  EXPECT_THAT(evaluated_text(split_model("node { op_type: \"Identity\" input: \"x\" output: \"y\" "
                                         "} ",
                                         "attribute { name: \"axis\" type: INT i: 2 } ")),
              HasSubstr("axis 2 of a tensor of rank 2"));
}

}  // namespace
}  // namespace opkit::onnx_frontend
