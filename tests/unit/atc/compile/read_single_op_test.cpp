// The JSON file of atc --singleop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/atc/compile/single_op.h"

namespace opkit::compile {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string tensor(const std::string& more = R"("shape": [8, 16])") {
  return R"({"type": "float16", "format": "ND", )" + more + "}";
}

std::string op(const std::string& more = "", const std::string& input = tensor()) {
  return R"({"op": "Add", "input_desc": [)" + input + R"(], "output_desc": [)" + tensor() + "]" +
         more + "}";
}

std::string error(const std::string& text) {
  const auto read = read_single_ops(text, "ops.json");
  return read.ok() ? "" : read.error().to_string();
}

TEST(ReadSingleOps, TakesWhatAnEntrySays) {
  const auto read = read_single_ops(R"([
    {"op": "Add",
     "input_desc": [
       {"name": "x1", "format": "ND", "shape": [8, 16], "type": "float16"},
       {"format": "RESERVED", "type": "RESERVED"},
       {"format": "NCHW", "shape": [2], "type": "int32", "is_const": true, "const_value": [3, -4]}],
     "output_desc": [{"format": "ND", "shape": [], "type": "bool"}],
     "attr": [{"name": "axis", "type": "int", "value": -1},
              {"name": "keep", "type": "bool", "value": true},
              {"name": "scales", "type": "list_float", "value": [0.5, 2]},
              {"name": "to", "type": "data_type", "value": "float16"}]},
    {"op": "Neg", "name": "mine"}])",
                                    "ops.json");
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  ASSERT_EQ(read->size(), 2u);
  const SingleOp& add = read->front();
  EXPECT_EQ(add.file, "0_Add_1_2_8_16_3_0_2_12_2.om");
  ASSERT_EQ(add.inputs.size(), 3u);
  EXPECT_EQ(add.inputs[0].desc.dtype, DType::kFloat16);
  EXPECT_EQ(add.inputs[0].desc.shape, (Shape{8, 16}));
  EXPECT_TRUE(add.inputs[1].absent);
  EXPECT_EQ(add.inputs[2].desc.format, Format::kNCHW);
  ASSERT_TRUE(add.inputs[2].constant);
  EXPECT_THAT(add.inputs[2].constant->values, testing::ElementsAre(3, -4));
  EXPECT_EQ(add.outputs[0].desc.shape, Shape{});
  EXPECT_EQ(add.attrs.at("axis"), AttrValue(int64_t{-1}));
  EXPECT_EQ(add.attrs.at("keep"), AttrValue(true));
  EXPECT_EQ(add.attrs.at("scales"), AttrValue(std::vector<double>{0.5, 2}));
  EXPECT_EQ(add.attrs.at("to"), AttrValue(int64_t{1}));
  EXPECT_EQ(read->back().file, "mine.om");
  EXPECT_EQ(read_single_ops(op(), "ops.json")->front().op, "Add") << "one operator without a list";
}

TEST(ReadSingleOps, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(error("[\n" + op("", tensor(R"("shape": [8, -1])")) + "]"),
              AllOf(HasSubstr("ops.json:2:"),
                    HasSubstr("error E10001: value [ops.json] for "
                              "parameter [--singleop] is invalid"),
                    HasSubstr("a dim is -1; models of one operator have known dims")));
  EXPECT_THAT(error("[]"), HasSubstr("it is no list of operators"));
  EXPECT_THAT(error("[3]"), HasSubstr("an operator is an object"));
  EXPECT_THAT(error("[{}]"), HasSubstr("'op' is missing"));
  EXPECT_THAT(error(R"([{"op": "a/b"}])"), HasSubstr("'a/b' is not an op type"));
  EXPECT_THAT(error(R"([{"op": "Add", "input_des": []}])"),
              HasSubstr("did you mean 'input_desc'?"));
  EXPECT_THAT(error(R"([{"op": "Add", "input_desc": 3}])"), HasSubstr("input_desc is a list"));
  EXPECT_THAT(error(op("", "3")), HasSubstr("a tensor is an object"));
  EXPECT_THAT(error(op("", tensor("\"name\": \"x\""))), HasSubstr("'shape' is missing"));
  EXPECT_THAT(error(op("", tensor("\"shape\": 8"))), HasSubstr("a shape is a list of dims"));
  EXPECT_THAT(error(op("", tensor(R"("shape": [8], "shape_range": [[1, 8]])"))),
              HasSubstr("known dims, and no shape_range"));
  EXPECT_THAT(error(op("", tensor(R"("shape": [8], "origin_shape": [2, 4])"))),
              HasSubstr("shape is [8], origin_shape [2, 4]"));
  EXPECT_EQ(error(op("", tensor(R"("shape": [8], "origin_shape": [8], "origin_format": "ND")"))),
            "");
  EXPECT_THAT(error(op("", tensor("\"shape\": [4294967296, 4294967296, 4294967296]"))),
              HasSubstr("more elements than can be counted"));
  EXPECT_THAT(error(op("", R"({"type": "half16", "format": "ND", "shape": []})")),
              HasSubstr("there is no data type 'half16'"));
  EXPECT_THAT(error(op("", R"({"type": "float", "format": "NCWH", "shape": []})")),
              HasSubstr("there is no format 'NCWH'"));
  EXPECT_THAT(error(op("", R"({"type": "float", "format": "FRACTAL_NZ", "shape": []})")),
              AllOf(HasSubstr("the format FRACTAL_NZ is not dense"), HasSubstr("as ND or NCHW")));
  EXPECT_THAT(error(op("", tensor(R"("shape": [2], "const_value": [1, 2])"))),
              HasSubstr("a tensor that is no constant has no const_value"));
  EXPECT_THAT(error(op("", tensor(R"("shape": [2], "is_const": true)"))),
              HasSubstr("'const_value' is missing"));
  EXPECT_THAT(error(op("", tensor(R"("shape": [2], "is_const": true, "const_value": [1])"))),
              HasSubstr("1 values stand for a constant of [2]"));
}

TEST(ReadSingleOps, RefusesAttributesAndNamesThatCannotBe) {
  EXPECT_THAT(error(op(R"(, "attr": {})")), HasSubstr("attr is a list"));
  EXPECT_THAT(error(op(R"(, "attr": [3])")), HasSubstr("an attribute is an object"));
  EXPECT_THAT(error(op(R"(, "attr": [{"name": "a", "type": "list_list_int", "value": []}])")),
              AllOf(HasSubstr("no attributes of type 'list_list_int'"), HasSubstr("list_string")));
  EXPECT_NE(error(op(R"(, "attr": [{"name": "a", "type": "int", "value": "x"}])")), "");
  const std::string a = R"({"name": "a", "type": "int", "value": 1})";
  EXPECT_THAT(error(op(", \"attr\": [" + a + ", " + a + "]")),
              HasSubstr("attribute 'a' is given twice"));
  EXPECT_THAT(error(op(R"(, "name": "../a")")), HasSubstr("'../a' is no name of a file"));
  EXPECT_THAT(error("[" + op(R"(, "name": "a")") + "," + op(R"(, "name": "a.om")") + "]"),
              HasSubstr("two operators are called a.om"));
}

}  // namespace
}  // namespace opkit::compile
