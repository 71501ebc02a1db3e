// The front end, on models written here as protobuf text.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "opkit/base/file.h"
#include "opkit/graph/text.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/import.h"
#include "tests/onnx/model_text.h"

namespace opkit::onnx_frontend {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Import, MakesAGraph) {
  const auto graph = import_model(model_of(
      "input " + input("x", "2,3") + "input " + input("k", "3") + "output " + input("y", "2,3") +
      // Out of order: y reads t. k is an input with a value, the constant has an attribute's.
      "node { op_type: \"Add\" input: \"t\" input: \"c\" output: \"y\" } "
      "node { op_type: \"Constant\" output: \"c\" attribute { name: \"value_float\" type: FLOAT f: "
      "2 } } "
      "node { op_type: \"Mul\" input: \"x\" input: \"k\" output: \"t\" name: \"scale\" } "
      "initializer { name: \"k\" dims: 3 data_type: 1 float_data: 1 float_data: 2 float_data: 3 "
      "}"));
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_EQ(graph::to_text(*graph), R"(graph "m" opset 13
input x: float32[2, 3]
const c: float32[] = 2
const k: float32[3] = 1, 2, 3
t = Mul(x, k) @"scale"
y = Add(t, c)
output y
)");
}

TEST(Import, ReadsEveryStoredForm) {
  const auto values = [](const std::string& tensor) -> std::vector<double> {
    const auto graph = import_model(model_of("output " + input("c", "2") +
                                             "initializer { name: \"c\" dims: 2 " + tensor + " }"));
    EXPECT_TRUE(graph.ok()) << graph.error().to_string();
    return graph.ok() ? graph->constant("c")->values : std::vector<double>();
  };
  using V = std::vector<double>;
  EXPECT_EQ(values("data_type: 1 raw_data: \"\\000\\000\\200?\\000\\000\\000@\""), (V{1, 2}));
  EXPECT_EQ(values("data_type: 10 int32_data: 15360 int32_data: 49152"), (V{1, -2}));
  EXPECT_EQ(values("data_type: 16 int32_data: 16256 int32_data: 49152"), (V{1, -2}));
  EXPECT_EQ(values("data_type: 3 int32_data: -1 int32_data: 5"), (V{-1, 5}));
  EXPECT_EQ(values("data_type: 9 int32_data: 1 int32_data: 0"), (V{1, 0}));
  EXPECT_EQ(values("data_type: 7 int64_data: -3 int64_data: 4"), (V{-3, 4}));
  EXPECT_EQ(values("data_type: 12 uint64_data: 4294967295 uint64_data: 4"), (V{4294967295, 4}));
  EXPECT_EQ(values("data_type: 11 double_data: 0.1 double_data: 4"), (V{0.1, 4}));
}

TEST(Import, ShapesMayBeStated) {
  const std::string model =
      model_of("input " + input("x", "batch,3") + "output " + input("y", "batch,3") +
               "node { op_type: \"Relu\" input: \"x\" output: \"y\" }");
  EXPECT_FALSE(import_model(model)->values.at("x").shape.has_value());
  auto graph = import_model(model, {{{"x", Shape{5, 3}}}});
  ASSERT_TRUE(graph.ok());
  ASSERT_TRUE(reference::infer(*graph).ok());
  EXPECT_EQ(graph->values.at("y").shape, (Shape{5, 3}));
  EXPECT_THAT(refused(model, {{{"x", Shape{5, 4}}}}),
              HasSubstr("OPK-ONNX-005: input 'x' is [?, 3] in the model, not [5, 4]"));
  EXPECT_THAT(refused(model, {{{"input", Shape{5}}}}),
              AllOf(HasSubstr("no input 'input'"), HasSubstr("known names: x")));
  EXPECT_THAT(refused(model, {{{"X", Shape{5}}}}), HasSubstr("did you mean 'x'?"));
}

TEST(Import, KeepsWhatTheModelSaysOfOutputs) {
  const std::string relu = "input " + input("x", "2,3") +
                           "node { op_type: \"Relu\" input: \"x\" output: \"y\" } output ";
  const auto declared = [&](const std::string& output) {
    const auto graph = import_model(model_of(relu + output));
    EXPECT_TRUE(graph.ok()) << graph.error().to_string();
    return graph.ok() ? graph->declared : std::map<std::string, graph::ValueInfo>();
  };
  const auto half = declared(input("y", "n,3", 10));
  EXPECT_EQ(half.at("y").dtype, DType::kFloat16);
  EXPECT_EQ(half.at("y").shape, (Shape{kUnknownDim, 3}));
  const auto open = declared("{ name: \"y\" type { tensor_type { elem_type: 1 } } }");
  EXPECT_EQ(open.at("y").dtype, DType::kFloat32);
  EXPECT_FALSE(open.at("y").shape.has_value());
  EXPECT_TRUE(declared("{ name: \"y\" }").empty());
  EXPECT_THAT(refused(model_of(relu + input("y", "2,3", 8))),
              HasSubstr("OPK-ONNX-002: output 'y' has the ONNX element type STRING (8)"));
  EXPECT_THAT(refused(model_of(relu + "{ name: \"y\" type { sequence_type { } } }")),
              HasSubstr("output 'y' is no tensor"));
}

TEST(Import, NamesTheFileAndTheNode) {
  const fs::path file = fs::path(testing::TempDir()) / "branch.onnx";
  ASSERT_TRUE(
      write_file(
          file,
          model_of(kRelu + "node { op_type: \"Loop\" input: \"x\" output: \"z\" name: \"branch\" "
                           "attribute { name: \"body\" type: GRAPH g { } } }"))
          .ok());
  const auto graph = import_file(file);
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().to_string(), HasSubstr("in node branch (Loop)"));
  EXPECT_THAT(graph.error().to_string(), HasSubstr("branch.onnx"));
}

// A model whose If takes the branch that one dim of x decides, as PyTorch writes squeeze.
std::string squeezing(const std::string& dims, const std::string& branches) {
  return model_of("input " + input("x", dims) + "output " + input("y", "3") +
                      "initializer { name: \"i\" data_type: 7 int64_data: 0 } "
                      "initializer { name: \"one\" data_type: 7 int64_data: 1 } "
                      "node { op_type: \"Shape\" input: \"x\" output: \"s\" } "
                      "node { op_type: \"Gather\" input: \"s\" input: \"i\" output: \"d\" } "
                      "node { op_type: \"Equal\" input: \"d\" input: \"one\" output: \"c\" } "
                      "node { op_type: \"If\" input: \"c\" output: \"t\" name: \"branch\" " +
                      branches + "} node { op_type: \"Neg\" input: \"t\" output: \"y\" }",
                  13);
}

const std::string kBranches =
    "attribute { name: \"then_branch\" type: GRAPH g { "
    "initializer { name: \"a\" dims: 1 data_type: 7 int64_data: 0 } "
    "node { op_type: \"Squeeze\" input: \"x\" input: \"a\" output: \"u\" } "
    "output { name: \"u\" } } } "
    "attribute { name: \"else_branch\" type: GRAPH g { "
    "node { op_type: \"Abs\" input: \"x\" output: \"u\" } output { name: \"u\" } } } ";

TEST(Import, TakesTheBranchThatDimsDecide) {
  const auto one = import_model(squeezing("1,3", kBranches));
  ASSERT_TRUE(one.ok()) << one.error().to_string();
  EXPECT_THAT(graph::to_text(*one),
              AllOf(HasSubstr("Squeeze(x, \"t/a\")"), HasSubstr("t = Identity(\"t/u\")")));
  const auto two = import_model(squeezing("2,3", kBranches));
  ASSERT_TRUE(two.ok()) << two.error().to_string();
  EXPECT_THAT(graph::to_text(*two), HasSubstr("Abs(x)"));
  // Both branches stay where nobody knows which one it is.
  const auto open = import_model(squeezing("n,3", kBranches));
  ASSERT_TRUE(open.ok()) << open.error().to_string();
  EXPECT_THAT(graph::to_text(*open), AllOf(HasSubstr("t = If(c, x, "), HasSubstr("branch")));
  EXPECT_THAT(refused(squeezing("1,3", "")), HasSubstr("then_branch gives other outputs"));
}

class ExternalData : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "external_data";
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "inside");
    const float numbers[] = {1, 2, 3, 4};
    const std::string bytes(reinterpret_cast<const char*>(numbers), sizeof numbers);
    ASSERT_TRUE(write_file(folder_ / "inside/w.bin", bytes).ok());
    ASSERT_TRUE(write_file(fs::path(testing::TempDir()) / "outside.bin", bytes).ok());
    fs::create_symlink(fs::path(testing::TempDir()) / "outside.bin", folder_ / "link.bin");
  }

  Result<graph::Graph> model(const std::string& location, const std::string& more = "") {
    const std::string text =
        "output " + input("w", "2") +
        "initializer { name: \"w\" dims: 2 data_type: 1 data_location: EXTERNAL "
        "external_data { key: \"location\" value: \"" +
        location + "\" } " + more + "}";
    EXPECT_TRUE(write_file(folder_ / "m.onnx", model_of(text)).ok());
    return import_file(folder_ / "m.onnx");
  }

  std::string error(const std::string& location, const std::string& more = "") {
    const auto graph = model(location, more);
    EXPECT_FALSE(graph.ok()) << location;
    return graph.ok() ? "" : graph.error().to_string();
  }

  static std::string entry(const std::string& key, const std::string& value) {
    return "external_data { key: \"" + key + "\" value: \"" + value + "\" } ";
  }

  fs::path folder_;
};

TEST_F(ExternalData, IsReadFromTheModelsFolder) {
  const auto first = model("inside/w.bin");
  ASSERT_TRUE(first.ok()) << first.error().to_string();
  EXPECT_THAT(first->constant("w")->values, ::testing::ElementsAre(1, 2));
  const auto last = model("inside/w.bin", entry("offset", "8") + entry("length", "8"));
  ASSERT_TRUE(last.ok()) << last.error().to_string();
  EXPECT_THAT(last->constant("w")->values, ::testing::ElementsAre(3, 4));
}

TEST_F(ExternalData, IsRefusedElsewhere) {
  EXPECT_THAT(error((folder_ / "inside/w.bin").string()), HasSubstr("no place inside"));
  EXPECT_THAT(error("../outside.bin"),
              AllOf(HasSubstr("tensor 'w'"), HasSubstr("no place inside")));
  EXPECT_THAT(error("inside/../inside/w.bin"), HasSubstr("no place inside"));
  EXPECT_THAT(error(""), HasSubstr("no place inside"));
  EXPECT_THAT(error("link.bin"), HasSubstr("leads out of the model's folder"));
  EXPECT_THAT(error("inside"), HasSubstr("there is no file 'inside' beside the model"));
  EXPECT_THAT(error("nothing.bin"), HasSubstr("there is no file"));
}

TEST_F(ExternalData, IsBounded) {
  EXPECT_THAT(error("inside/w.bin", entry("offset", "12")),
              HasSubstr("the tensor takes 8 from 12 on"));
  EXPECT_THAT(error("inside/w.bin", entry("offset", "18446744073709551615")),
              HasSubstr("has 16 bytes"));
  EXPECT_THAT(error("inside/w.bin", entry("offset", "-1")), HasSubstr("the offset '-1'"));
  EXPECT_THAT(error("inside/w.bin", entry("length", "4")),
              HasSubstr("have 4 bytes, its shape takes 8"));
}

TEST(Import, NamesAnUnknownOperatorWithoutNameOrResult) {
  EXPECT_THAT(refused(model_of("node { op_type: \"Rleu\" }")),
              AllOf(HasSubstr("error E19010: No parser is registered for Op [Rleu, optype [Rleu]]"),
                    HasSubstr("did you mean 'Relu'?")));
}

TEST(Import, TakesUnknownOperatorsWhereSomebodyElseKnowsThem) {
  const std::string graph = "input " + input("x", "2") + "output " + input("y", "2") +
                            "node { op_type: \"AddRelus\" domain: \"my.ops\" input: \"x\" output: "
                            "\"y\" name: \"n\" } ";
  // Shows that a type of a domain of its own is no misspelt operator.
  EXPECT_THAT(refused(model_of(graph)),
              AllOf(HasSubstr("optype [my.ops.AddRelus]"), Not(HasSubstr("did you mean"))));
  const auto kept = import_model(model_of(graph), {.keep_unknown = true});
  ASSERT_TRUE(kept.ok()) << kept.error().to_string();
  EXPECT_EQ(kept->nodes[0].op_type, "my.ops.AddRelus");
  // The mark of nodes that only plugins compute is no operator of a file.
  EXPECT_THAT(refused(model_of("node { op_type: \"opkit:Relu\" input: \"x\" output: \"y\" }"),
                      {.keep_unknown = true}),
              HasSubstr("E19010"));
}

TEST(Import, ReadsVersionsAndConvertsOldOnes) {
  EXPECT_EQ(import_model(model_of(kRelu, 7))->opset, 7);
  EXPECT_EQ(import_model(model_of(kRelu, 23))->opset, 23);
  EXPECT_THAT(refused(model_of(kRelu, 24)), HasSubstr("OPK-ONNX-004: the model uses opset 24"));
  const auto old = import_model(model_of(kRelu, 6));
  ASSERT_TRUE(old.ok()) << old.error().to_string();
  EXPECT_EQ(old->opset, 7);
  EXPECT_THAT(refused(model_of("input " + input("x", "2") + "output " + input("y", "2") +
                                   "node { op_type: \"Nonsense\" input: \"x\" output: \"y\" }",
                               6)),
              HasSubstr("cannot be converted to opset 7"));
  EXPECT_EQ(import_model(model_of(kRelu, 6), {{}, true})->opset, 6);
}

TEST(Import, IntegersBeyondDoublesAreBoundsOfSlicesOnly) {
  const std::string limits =
      "initializer { name: \"s\" dims: 1 data_type: 7 int64_data: 1 } "
      "initializer { name: \"e\" dims: 1 data_type: 7 int64_data: 9223372036854775807 } ";
  const std::string ports = "input " + input("x", "4") + "output " + input("y", "3");
  auto graph = import_model(
      model_of(ports + limits +
               "node { op_type: \"Slice\" input: \"x\" input: \"s\" input: \"e\" output: \"y\" }"));
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  ASSERT_TRUE(reference::infer(*graph).ok());
  EXPECT_EQ(graph->values.at("y").shape, (Shape{3}));
  EXPECT_THAT(
      refused(model_of(ports + limits +
                       "node { op_type: \"Add\" input: \"s\" input: \"e\" output: \"y\" }")),
      HasSubstr("beyond 2^53"));
}

// --- whole models -------------------------------------------------------------------------------

}  // namespace
}  // namespace opkit::onnx_frontend
