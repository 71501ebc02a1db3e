// The front end: models written here as protobuf text, and the stored models of a folder that may
// be absent (OPKIT_MODELS).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstdlib>

#include "opkit/base/file.h"
#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/import.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::onnx_frontend {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The bytes of a model whose graph is this protobuf text.
std::string model_of(const std::string& graph, int opset = 13) {
  onnx::ModelProto model;
  const std::string text = fmt::format(
      "ir_version: 8 opset_import {{ version: {} }} graph {{ name: \"m\" {} }}", opset, graph);
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &model)) << text;
  return model.SerializeAsString();
}

std::string input(const std::string& name, const std::string& dims, int type = 1) {
  std::string shape;
  size_t begin = 0;
  while (begin < dims.size()) {
    const size_t end = std::min(dims.find(',', begin), dims.size());
    const std::string dim = dims.substr(begin, end - begin);
    shape += std::isdigit(static_cast<unsigned char>(dim[0]))
                 ? "dim { dim_value: " + dim + " } "
                 : "dim { dim_param: \"" + dim + "\" } ";
    begin = end + 1;
  }
  return fmt::format(
      "{{ name: \"{}\" type {{ tensor_type {{ elem_type: {} shape {{ {} }} }} }} }} ", name, type,
      shape);
}

std::string refused(const std::string& bytes, const ImportOptions& options = {}) {
  const auto graph = import_model(bytes, options);
  EXPECT_FALSE(graph.ok());
  return graph.ok() ? "" : graph.error().to_string();
}

const std::string kRelu = "input " + input("x", "2,3") + "output " + input("y", "2,3") +
                          "node { op_type: \"Relu\" input: \"x\" output: \"y\" name: \"act\" } ";

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
    return graph.ok() ? graph->declared : std::map<std::string, graph::Value>();
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

TEST(Import, RefusesAModelWithoutOutputs) {
  EXPECT_THAT(
      refused(model_of("input " + input("x", "2,3") +
                       "node { op_type: \"Relu\" input: \"x\" output: \"y\" } ")),
      AllOf(HasSubstr("OPK-ONNX-006: the model has no outputs"), HasSubstr("graph.output")));
}

TEST(Import, RefusesWhatItCannotHold) {
  EXPECT_THAT(refused("no model"), HasSubstr("OPK-ONNX-001"));
  EXPECT_THAT(refused(""), HasSubstr("OPK-ONNX-001"));
  const std::string one = "output " + input("c", "2");
  const auto tensor = [&](const std::string& fields) {
    return refused(model_of(one + "initializer { name: \"c\" " + fields + " }"));
  };
  EXPECT_THAT(tensor("dims: 2 data_type: 1 data_location: EXTERNAL"),
              HasSubstr("OPK-ONNX-002: tensor 'c': its data lie in another file"));
  EXPECT_THAT(tensor("dims: 2 data_type: 8"), HasSubstr("ONNX element type STRING (8)"));
  EXPECT_THAT(tensor("dims: 2 data_type: 1 float_data: 1"),
              HasSubstr("OPK-ONNX-003: tensor 'c' of float32[2] holds 1 values"));
  EXPECT_THAT(tensor("dims: 2 data_type: 1 raw_data: \"abc\""), HasSubstr("holds 3 bytes"));
  // Nothing of that size is allocated.
  EXPECT_THAT(tensor("dims: 1000000000 dims: 1000000000 data_type: 1 raw_data: \"abcd\""),
              HasSubstr("holds 4 bytes"));
  EXPECT_THAT(tensor("dims: 4611686018427387904 dims: 4 data_type: 1"),
              AllOf(HasSubstr("tensor 'c'"), HasSubstr("2^63 bytes or more")));
  EXPECT_THAT(tensor("dims: -2 data_type: 1"),
              AllOf(HasSubstr("tensor 'c'"), HasSubstr("has a negative dim")));
  EXPECT_THAT(refused(model_of(one + "sparse_initializer { dims: 2 }")), HasSubstr("sparse"));
  EXPECT_THAT(refused(model_of(
                  kRelu + "node { op_type: \"Loop\" input: \"x\" output: \"z\" name: \"branch\" "
                          "attribute { name: \"body\" type: GRAPH g { } } }")),
              HasSubstr("holds a subgraph"));
  EXPECT_THAT(refused(model_of("input { name: \"x\" type { sequence_type { } } } " + one)),
              HasSubstr("no tensor"));
  EXPECT_THAT(refused(model_of(kRelu + "node { op_type: \"Neg\" input: \"x\" output: \"y\" }")),
              HasSubstr("OPK-GRAPH-002"));
  EXPECT_THAT(
      refused(model_of(kRelu + "node { op_type: \"Neg\" input: \"nowhere\" output: \"z\" }")),
      HasSubstr("OPK-GRAPH-001"));
  EXPECT_THAT(refused(model_of("output " + input("a", "2") +
                               "node { op_type: \"Neg\" input: \"a\" output: \"b\" } node { "
                               "op_type: \"Neg\" input: \"b\" output: \"a\" }")),
              HasSubstr("OPK-GRAPH-003"));
}

// What people give in place of a model.
TEST(Import, RecognisesOtherFiles) {
  const auto said = [](const std::string& bytes, const std::string& what, const std::string& cure) {
    EXPECT_THAT(refused(bytes),
                AllOf(HasSubstr("OPK-ONNX-001: the file is no ONNX model: it is " + what),
                      HasSubstr("try: "), HasSubstr(cure)));
  };
  const auto bytes = [](const char* begin, size_t count, const std::string& rest) {
    return std::string(begin, count) + rest;
  };
  said("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 102442450\n",
       "a git LFS pointer", "git lfs pull");
  said(bytes("PK\x03\x04", 4, std::string(26, '\0') + "archive/data.pkl"), "a PyTorch archive",
       "torch.onnx.export");
  said(bytes("PK\x03\x04", 4, std::string(26, '\0') + "model/model.onnx"), "a zip archive",
       "unpack it");
  said(bytes("\x80\x02\x8a\x0a", 4, "l\xfc\x9c"), "a Python pickle", "torch.onnx.export");
  said("\n<!DOCTYPE html>\n<html lang=\"en\">", "an HTML page", "raw link");
  said("<HTML><head>", "an HTML page", "raw link");
  said(bytes("\x1f\x8b\x08\x00", 4, "abc"), "compressed by gzip", "gunzip");
  said(bytes("\x89HDF\r\n\x1a\n", 8, "abc"), "an HDF5 file", "export it as ONNX");
  said(bytes("\x1c\0\0\0TFL3", 8, "abc"), "a TensorFlow Lite model", "export it as ONNX");
  said(bytes("IMOD\0\1", 6, "abc"), "an offline model", "opkit model run");
  EXPECT_THAT(refused("PK\x03"), HasSubstr("OPK-ONNX-001"));
}

TEST(Import, RefusesVersionsOfTheFormatThatNobodyKnows) {
  const auto model = [](int64_t version) {
    onnx::ModelProto proto;
    EXPECT_TRUE(proto.ParseFromString(model_of(kRelu)));
    proto.set_ir_version(version);
    return proto.SerializeAsString();
  };
  for (const int64_t version : {0, 3, 8, 13}) EXPECT_TRUE(import_model(model(version)).ok());
  EXPECT_THAT(refused(model(2000000000)),
              AllOf(HasSubstr("OPK-ONNX-004"), HasSubstr("IR version 2000000000"),
                    HasSubstr("the newest that is known is 13")));
  EXPECT_THAT(refused(model(-1)), HasSubstr("IR version -1"));
}

TEST(Import, RefusesNamesThatAreNoText) {
  const auto with = [](const auto& change) {
    onnx::ModelProto proto;
    EXPECT_TRUE(proto.ParseFromString(
        model_of("initializer { name: \"w\" dims: 1 data_type: 1 float_data: 1 } " + kRelu)));
    change(*proto.mutable_graph());
    return refused(proto.SerializeAsString());
  };
  EXPECT_THAT(with([](onnx::GraphProto& g) { g.mutable_initializer(0)->set_name("w\xff/1"); }),
              HasSubstr("OPK-ONNX-008: the name of tensor 'w\\xff/1' is no UTF-8"));
  EXPECT_THAT(with([](onnx::GraphProto& g) { g.mutable_input(0)->set_name("\xc3"); }),
              HasSubstr("the name of tensor '\\xc3'"));
  EXPECT_THAT(with([](onnx::GraphProto& g) { g.mutable_node(0)->set_input(0, "x\x80"); }),
              HasSubstr("the name of tensor 'x\\x80'"));
  EXPECT_THAT(with([](onnx::GraphProto& g) { g.mutable_node(0)->set_name("act\xfe"); }),
              HasSubstr("the name of node 'act\\xfe'"));
  EXPECT_THAT(with([](onnx::GraphProto& g) {
                onnx::AttributeProto& branch = *g.mutable_node(0)->add_attribute();
                branch.set_type(onnx::AttributeProto::GRAPH);
                branch.mutable_g()->add_node()->add_output("deep\xff");
              }),
              HasSubstr("the name of tensor 'deep\\xff'"));
  onnx::ModelProto other;
  ASSERT_TRUE(other.ParseFromString(model_of(kRelu)));
  other.mutable_graph()->mutable_node(0)->set_name("\xe5\xb1\x82");
  EXPECT_TRUE(import_model(other.SerializeAsString()).ok());
}

TEST(Import, TakesAsManyNodesAsAreCompiled) {
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(model_of(kRelu)));
  onnx::GraphProto& graph = *proto.mutable_graph();
  for (size_t n = 1; n <= kMostNodes; ++n) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type("Relu");
    node.add_input(n == 1 ? "y" : "v" + std::to_string(n - 1));
    node.add_output("v" + std::to_string(n));
  }
  EXPECT_THAT(refused(proto.SerializeAsString()),
              AllOf(HasSubstr("OPK-ONNX-007: the model has 100001 nodes; models of at most 100000"),
                    HasSubstr("cut it")));
  graph.mutable_node()->RemoveLast();
  const auto most = import_model(proto.SerializeAsString());
  ASSERT_TRUE(most.ok()) << most.error().to_string();
  EXPECT_EQ(most->nodes.size(), kMostNodes);
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
  EXPECT_THAT(refused(squeezing("n,3", kBranches)),
              AllOf(HasSubstr("OPK-ONNX-002: the condition of an If depends on data"),
                    HasSubstr("in node branch (If)")));
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

TEST(Import, RefusesTwoVersionsOfTheOperators) {
  const auto model = [](const std::string& domain, int version) {
    onnx::ModelProto proto;
    EXPECT_TRUE(proto.ParseFromString(model_of(kRelu, 13)));
    auto* more = proto.add_opset_import();
    more->set_domain(domain);
    more->set_version(version);
    return proto.SerializeAsString();
  };
  EXPECT_THAT(refused(model("", 11)),
              AllOf(HasSubstr("OPK-ONNX-004"), HasSubstr("twice, in versions 13 and 11")));
  EXPECT_THAT(refused(model("ai.onnx", 11)), HasSubstr("OPK-ONNX-004"));
  EXPECT_TRUE(import_model(model("ai.onnx", 13)).ok());
  EXPECT_TRUE(import_model(model("ai.onnx.ml", 2)).ok());
}

// A model of another domain alone has no version of ONNX's own operators.
TEST(Import, NamesTheOperatorOfAnotherDomain) {
  onnx::ModelProto proto;
  ASSERT_TRUE(proto.ParseFromString(
      model_of("input " + input("x", "1,3") + "output " + input("y", "1,1") +
               "node { op_type: \"LinearRegressor\" domain: \"ai.onnx.ml\" input: \"x\" output: "
               "\"y\" } ")));
  proto.mutable_opset_import(0)->set_domain("ai.onnx.ml");
  EXPECT_THAT(refused(proto.SerializeAsString()),
              AllOf(HasSubstr("OPK-ONNX-004"), HasSubstr("LinearRegressor"),
                    HasSubstr("the domain ai.onnx.ml")));
}

TEST(Import, RefusesDimsWhoseBytesNobodyCanCount) {
  const std::string big = "1099511627776,1048576";  // 2^60 elements
  EXPECT_THAT(refused(model_of("input " + input("huge", big + ",8") + "output " + input("y", "2") +
                               "node { op_type: \"Relu\" input: \"huge\" output: \"y\" }")),
              AllOf(HasSubstr("OPK-ONNX-003"), HasSubstr("tensor 'huge'"), HasSubstr("2^63")));
  EXPECT_THAT(refused(model_of("initializer { name: \"w\" dims: -3 data_type: 1 } " + kRelu)),
              AllOf(HasSubstr("OPK-ONNX-003"), HasSubstr("tensor 'w'"), HasSubstr("negative")));
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

// The input that the models' authors used: 0, 1/n, 2/n, ...
graph::RefTensor ramp(const graph::Value& value) {
  graph::RefTensor tensor{value.dtype, *value.shape, {}};
  const int64_t n = value.shape->elements();
  for (int64_t i = 0; i < n; ++i)
    tensor.values.push_back(static_cast<float>(static_cast<float>(i) / static_cast<float>(n)));
  return tensor;
}

std::string folder_of_models() {
  const char* stated = std::getenv("OPKIT_MODELS");
  return stated != nullptr ? stated : "";
}

class StoredModel : public ::testing::TestWithParam<const char*> {};

TEST_P(StoredModel, GivesItsExpectedOutput) {
  const fs::path folder = folder_of_models();
  const fs::path model = folder / fmt::format("light_{}.onnx", GetParam());
  if (folder.empty() || !fs::exists(model))
    GTEST_SKIP() << "OPKIT_MODELS holds no " << model.filename();
  auto graph = import_file(model);
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  const Status inferred = reference::infer(*graph);
  ASSERT_TRUE(inferred.ok()) << inferred.error().to_string();
  ASSERT_EQ(graph->inputs.size(), 1u);
  const auto changes = passes::canonicalize(*graph);
  ASSERT_TRUE(changes.ok()) << changes.error().to_string();
  for (const auto& [name, places] : *changes) fmt::print("{}: {}\n", name, places);
  const std::string in = graph->inputs[0];
  const auto outputs = reference::evaluate(*graph, {{in, ramp(graph->values.at(in))}});
  ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
  const auto bytes = read_file(folder / fmt::format("light_{}_output_0.pb", GetParam()));
  ASSERT_TRUE(bytes.ok());
  const auto expected = read_tensor(*bytes);
  ASSERT_TRUE(expected.ok()) << expected.error().to_string();
  const graph::RefTensor& got = outputs->at(graph->outputs[0]);
  ASSERT_EQ(got.shape, expected->second.shape);
  double worst = 0;
  for (int64_t i = 0; i < got.elements(); ++i)
    worst = std::max(
        worst, std::abs(got[i] - expected->second[i]) / (std::abs(expected->second[i]) + 1e-6));
  fmt::print("{} nodes, worst relative difference {:.3g}\n", graph->nodes.size(), worst);
  EXPECT_LT(worst, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Light, StoredModel,
                         ::testing::Values("bvlc_alexnet", "inception_v1", "resnet50", "shufflenet",
                                           "squeezenet"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace opkit::onnx_frontend
