// Models that are refused, and what the refusal names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/rewrite/onnx/import.h"
#include "tests/onnx/model_text.h"

namespace opkit::onnx_frontend {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ImportRefusals, RefusesAModelWithoutOutputs) {
  EXPECT_THAT(
      refused(model_of("input " + input("x", "2,3") +
                       "node { op_type: \"Relu\" input: \"x\" output: \"y\" } ")),
      AllOf(HasSubstr("OPK-ONNX-006: the model has no outputs"), HasSubstr("graph.output")));
}

TEST(ImportRefusals, RefusesWhatItCannotHold) {
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
              HasSubstr("1 inputs and 1 outputs do not fit a body of 0 and 0"));
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
TEST(ImportRefusals, RecognisesOtherFiles) {
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
  said(bytes("\x80\x04\x95", 3, "abc"), "a Python pickle", "export it as ONNX");
  said("{\"message\": \"Not Found\"}", "a JSON text", "download the file itself");
  EXPECT_THAT(refused("PK\x03"), HasSubstr("OPK-ONNX-001"));
  EXPECT_THAT(refused(""), HasSubstr("OPK-ONNX-001: the file is empty"));
}

TEST(ImportRefusals, RefusesVersionsOfTheFormatThatNobodyKnows) {
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

TEST(ImportRefusals, RefusesNamesThatAreNoText) {
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

TEST(ImportRefusals, TakesAsManyNodesAsAreCompiled) {
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

TEST(ImportRefusals, RefusesTwoVersionsOfTheOperators) {
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
TEST(ImportRefusals, NamesTheOperatorOfAnotherDomain) {
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

TEST(ImportRefusals, RefusesDimsWhoseBytesNobodyCanCount) {
  const std::string big = "1099511627776,1048576";  // 2^60 elements
  EXPECT_THAT(refused(model_of("input " + input("huge", big + ",8") + "output " + input("y", "2") +
                               "node { op_type: \"Relu\" input: \"huge\" output: \"y\" }")),
              AllOf(HasSubstr("OPK-ONNX-003"), HasSubstr("tensor 'huge'"), HasSubstr("2^63")));
  EXPECT_THAT(refused(model_of("initializer { name: \"w\" dims: -3 data_type: 1 } " + kRelu)),
              AllOf(HasSubstr("OPK-ONNX-003"), HasSubstr("tensor 'w'"), HasSubstr("negative")));
}

// Holds version 8, and the first ten bytes of a graph of 64.
TEST(ImportRefusals, AFileThatWasCutOff) {
  const std::string text = refused(std::string("\x08\x08\x3a\x40", 4) + std::string(10, '\n'));
  EXPECT_THAT(text, HasSubstr("the ONNX model ends after 14 bytes in the middle of a field that "
                              "has 54 more: it was cut off"));
}

}  // namespace
}  // namespace opkit::onnx_frontend
