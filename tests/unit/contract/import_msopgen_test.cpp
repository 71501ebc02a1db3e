#include "opkit/contract/import_msopgen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/contract/op_contract.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

constexpr const char* kAddCustom = R"json([{
  "op": "AddCustom",
  "input_desc": [
    {"name": "x", "param_type": "required", "format": ["ND", "ND", "ND"], "type": ["fp16", "float", "int32"]},
    {"name": "y", "param_type": "optional", "format": ["ND"], "type": ["fp16", "float", "int32"]}
  ],
  "output_desc": [
    {"name": "z", "param_type": "required", "format": ["ND", "NCHW", "ND"], "type": ["fp16", "float", "int32"]}
  ],
  "attr": [
    {"name": "alpha", "param_type": "optional", "type": "float", "default_value": "0.5"},
    {"name": "flags", "param_type": "optional", "type": "list_int", "default_value": [1, 2]},
    {"name": "fast", "param_type": "optional", "type": "bool", "default_value": "False"},
    {"name": "mode", "param_type": "required", "type": "string"}
  ]
}])json";

Error refused_prototype(const std::string& text) {
  const auto contracts = import_msopgen(text, "p.json");
  EXPECT_FALSE(contracts.ok()) << text;
  return contracts.ok() ? Error() : contracts.error();
}

std::string edited_prototype(const char* from, const char* to) {
  std::string text = kAddCustom;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, std::string(from).size(), to);
}

TEST(ImportMsopgen, MakesAContract) {
  const auto contracts = import_msopgen(kAddCustom, "p.json");
  ASSERT_TRUE(contracts.ok()) << contracts.error().to_string();
  ASSERT_EQ(contracts->size(), 1u);
  const auto contract = OpContract::parse((*contracts)[0].yaml, "c.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_EQ(contract->op, "AddCustom");
  EXPECT_EQ(contract->column_count(), 3u);
  EXPECT_EQ(contract->input("y")->presence, Presence::kOptional);
  EXPECT_EQ(contract->input("x")->dtypes[1], DType::kFloat32);
  EXPECT_EQ(contract->output("z")->formats[1], Format::kNCHW);
  EXPECT_TRUE(contract->output("z")->shape.opaque);
  EXPECT_EQ(std::get<double>(*contract->attr("alpha")->default_value), 0.5);
  EXPECT_EQ(std::get<bool>(*contract->attr("fast")->default_value), false);
  EXPECT_EQ(std::get<std::vector<int64_t>>(*contract->attr("flags")->default_value),
            (std::vector<int64_t>{1, 2}));
  EXPECT_TRUE(contract->attr("mode")->required());
  EXPECT_THAT((*contracts)[0].yaml, HasSubstr("# - reference: write what the op computes"));
}

TEST(ImportMsopgen, TakesASingleOperator) {
  std::string text = kAddCustom;
  text = text.substr(1, text.size() - 2);
  EXPECT_TRUE(import_msopgen(text, "p.json").ok());
}

TEST(ImportMsopgen, InPlaceOutputsGetAName) {
  const auto contracts =
      import_msopgen(edited_prototype("\"name\": \"z\"", "\"name\": \"x\""), "p.json");
  ASSERT_FALSE(contracts.ok()) << "the output is NCHW in one column, the input is ND";
  EXPECT_EQ(contracts.error().code, "OPK-CONTRACT-013");
  const std::string same = edited_prototype(
      "\"name\": \"z\", \"param_type\": \"required\", \"format\": [\"ND\", \"NCHW\", \"ND\"]",
      "\"name\": \"x\", \"param_type\": \"required\", \"format\": [\"ND\"]");
  const auto in_place = import_msopgen(same, "p.json");
  ASSERT_TRUE(in_place.ok()) << in_place.error().to_string();
  const auto contract = OpContract::parse((*in_place)[0].yaml, "c.yaml");
  EXPECT_EQ(contract->output("x_out")->inplace, "x");
}

std::vector<ImportedContract> imported(const std::string& text) {
  auto contracts = import_msopgen(text, "p.json");
  EXPECT_TRUE(contracts.ok()) << contracts.error().to_string();
  return contracts.ok() ? std::move(contracts).value() : std::vector<ImportedContract>{};
}

// The tensors of a dynamic input are of any shapes, each of its own.
TEST(ImportMsopgen, TensorsOfADynamicInputHaveShapesOfTheirOwn) {
  const std::string text = R"json({"op": "Grouped",
    "input_desc": [{"name": "w", "param_type": "dynamic", "format": "ND", "type": "fp16"}],
    "output_desc": [{"name": "w", "param_type": "dynamic", "format": "ND", "type": "fp16"}]})json";
  const auto contracts = imported(text);
  ASSERT_EQ(contracts.size(), 1u);
  const auto contract = OpContract::parse(contracts[0].yaml, "c.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_TRUE(contract->input("w")->shape.opaque);
  EXPECT_TRUE(contract->output("w_out")->shape.opaque);
  EXPECT_EQ(contract->output("w_out")->inplace, "w");
  EXPECT_EQ(contract->output("w_out")->count->to_string(), "count(w)");
}

TEST(ImportMsopgen, WithoutOutputsTheInputsAreWritten) {
  const std::string text = R"json({"op": "Store",
    "input_desc": [{"name": "x", "param_type": "required", "format": "ND", "type": "fp16"},
                   {"name": "cache", "param_type": "required", "format": "ND", "type": "fp16"}]})json";
  const auto contracts = imported(text);
  ASSERT_EQ(contracts.size(), 1u);
  const auto contract = OpContract::parse(contracts[0].yaml, "c.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_TRUE(contract->outputs.empty());
  EXPECT_TRUE(contract->input("x")->written);
  EXPECT_TRUE(contract->input("cache")->written);
  EXPECT_THAT(contracts[0].notes, ::testing::Contains(HasSubstr("the op has no outputs")));
}

TEST(ImportMsopgen, ExpandsGroups) {
  const std::string text = R"json({"op": "Neg2",
    "input_desc": [{"name": "x", "format": "ND", "type": "realnumbertype"}],
    "output_desc": [{"name": "y", "param_type": "required", "format": "ND", "type": "realnumbertype"}]})json";
  const auto contracts = import_msopgen(text, "p.json");
  ASSERT_TRUE(contracts.ok()) << contracts.error().to_string();
  const auto contract = OpContract::parse((*contracts)[0].yaml, "c.yaml");
  EXPECT_EQ(contract->column_count(), 11u);
  EXPECT_THAT((*contracts)[0].notes, ::testing::Contains(HasSubstr("x has no param_type")));
}

TEST(ImportMsopgen, RefusesWhatItCannotExpress) {
  struct {
    const char* from;
    const char* to;
    const char* code;
  } const kEdits[] = {
      {"\"op\": \"AddCustom\",", "", "OPK-IMPORT-001"},
      {"AddCustom", "add_custom", "OPK-IMPORT-002"},
      {"\"name\": \"x\"", "\"name\": \"x-y\"", "OPK-IMPORT-002"},
      {"\"param_type\": \"optional\", \"format\"", "\"param_type\": \"maybe\", \"format\"",
       "OPK-IMPORT-003"},
      {"\"fp16\"", "\"complex64\"", "OPK-IMPORT-004"},
      {"\"fp16\"", "\"numbertype\"", "OPK-IMPORT-004"},
      {"\"NCHW\"", "\"NDHWC\"", "OPK-IMPORT-005"},
      {"\"fp16\", \"float\", \"int32\"]}", "\"fp16\", \"float\"]}", "OPK-IMPORT-006"},
      {"\"format\": [\"ND\"], \"type\": [\"fp16\", \"float\", \"int32\"]",
       "\"format\": [\"ND\"], \"type\": [\"fp16\"]", "OPK-IMPORT-006"},
      {"\"type\": \"list_int\"", "\"type\": \"list_list_int\"", "OPK-IMPORT-008"},
      {", \"default_value\": \"0.5\"", "", "OPK-IMPORT-009"},
      {"\"0.5\"", "\"half\"", "OPK-IMPORT-010"},
      {"[1, 2]", "\"1, 2\"", "OPK-IMPORT-010"},
      {"\"format\": [\"ND\"]", "\"fromat\": [\"ND\"]", "OPK-DOC-017"},
  };
  for (const auto& edit : kEdits) {
    const Error error = refused_prototype(edited_prototype(edit.from, edit.to));
    EXPECT_EQ(error.code, edit.code) << edit.to << ": " << error.to_string();
    EXPECT_FALSE(error.action.empty());
    EXPECT_GT(error.where.line, 0);
  }
  EXPECT_EQ(refused_prototype("[]").code, "OPK-IMPORT-001");
  EXPECT_EQ(refused_prototype("3").code, "OPK-IMPORT-001");
  EXPECT_EQ(refused_prototype("[3]").code, "OPK-IMPORT-001");
  EXPECT_EQ(refused_prototype("{\"op\": \"Nothing\"}").code, "OPK-IMPORT-001");
  const std::string twice = R"json({"op": "Twice",
    "input_desc": [{"name": "x", "param_type": "required", "format": "ND", "type": ["fp16", "half"]}],
    "output_desc": [{"name": "y", "param_type": "required", "format": "ND", "type": ["fp16", "float"]}]})json";
  EXPECT_EQ(refused_prototype(twice).code, "OPK-IMPORT-007");
}

}  // namespace
}  // namespace opkit
