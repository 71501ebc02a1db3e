// What the CLI prints about contracts: explain, check, schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "opkit/base/json.h"
#include "opkit/contract/explain.h"
#include "opkit/contract/names.h"
#include "opkit/contract/schema.h"
#include "opkit_test_paths.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

std::string slurp(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::string kSample = OPKIT_SOURCE_DIR "/ops/fused/scale_relu_dropout/op_contract.yaml";

TEST(Explain, SaysEverythingOfASample) {
  const OpContract contract = *OpContract::load(kSample);
  const std::string text = explain_text(contract);
  for (const char* part :
       {"ScaleReluDropout 1.0.0", "x: T [S..] ND", "mask: uint8 [S..] ND",
        "keep_prob: float, default 1.0, range (0, 1]", "S..: dims of x",
        "C2: prod(S) < 2**31  # the kernel counts elements in 32 bits", "type columns: 3",
        "[2] x bfloat16/ND, mask uint8/ND, y bfloat16/ND", "scaled = Mul(x, $scale)",
        "numeric: accumulate float32, overflow inf", "soc: Ascend310B, "})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(Explain, JsonHoldsTheSame) {
  const auto json = explain_json(*OpContract::load(kSample));
  EXPECT_EQ(json["op"], "ScaleReluDropout");
  EXPECT_EQ(json["columns"].size(), 3u);
  EXPECT_EQ(json["columns"][0]["mask"][0], "uint8");
  EXPECT_EQ(json["where"][1]["label"], "C2");
  EXPECT_EQ(json["attrs"][1]["default"], "1.0");
  EXPECT_EQ(json["reference"][4], "y = Div(masked, $keep_prob)");
}

TEST(Check, TextCountsErrorsAndWarnings) {
  const auto checked = OpContract::check("op: add\nversion: 1.0\n", "c.yaml");
  const std::string text = check_text(checked, "c.yaml");
  EXPECT_THAT(text, HasSubstr("c.yaml:1:5: error OPK-CONTRACT-002"));
  EXPECT_THAT(text, HasSubstr("c.yaml: refused, 5 errors, 0 warnings\n"));
  const auto json = check_json(checked, "c.yaml");
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["messages"].size(), 5u);
  EXPECT_EQ(json["messages"][0]["severity"], "error");
}

TEST(Schema, IsTheDocumentedFile) {
  EXPECT_EQ(slurp(OPKIT_SOURCE_DIR "/docs/op_contract.schema.json"), contract_schema_text())
      << "write it anew: opkit contract schema > docs/op_contract.schema.json";
}

// Every field that the schema offers is accepted by the parser, so that the two cannot drift apart.
TEST(Schema, OffersNoFieldThatTheParserDoesNotKnow) {
  const auto schema = nlohmann::ordered_json::parse(contract_schema_text());
  const auto known = [](const std::string& text) {
    const auto checked = OpContract::check(text, "c.yaml");
    for (const Error& error : checked.messages) {
      if (error.code == "OPK-DOC-017") return error.message;
    }
    return std::string();
  };
  const auto& properties = schema.at("properties");
  for (const auto& [field, value] : properties.items())
    EXPECT_EQ(known(field + ": {}\n"), "") << field;
  const std::map<std::string, std::string> wrapped = {
      {"input", "inputs: {x: {FIELD: {}}}\n"},
      {"output", "outputs: {x: {FIELD: {}}}\n"},
      {"attr", "attrs: {x: {FIELD: {}}}\n"},
      {"node", "reference: [{FIELD: {}}]\n"},
  };
  for (const auto& [name, pattern] : wrapped) {
    for (const auto& [field, value] : schema.at("definitions").at(name).at("properties").items()) {
      std::string text = pattern;
      EXPECT_EQ(known(text.replace(text.find("FIELD"), 5, field)), "") << name << " " << field;
    }
  }
  for (const char* section : {"numeric", "tolerance", "kernel"}) {
    auto form = properties.at(section);
    if (form.contains("anyOf")) form = form.at("anyOf").at(0);  // one, or a list of them
    for (const auto& [field, value] : form.at("properties").items())
      EXPECT_EQ(known(std::string(section) + ": {" + field + ": {}}\n"), "") << field;
  }
}

TEST(Names, SnakeCase) {
  EXPECT_EQ(snake_name("Conv2DCustom"), "conv2_d_custom");
  EXPECT_EQ(snake_name("GRUCell"), "gru_cell");
  EXPECT_EQ(snake_name("TopK"), "top_k");
  EXPECT_EQ(snake_name("GatherV2"), "gather_v2");
  EXPECT_EQ(snake_name("LinearAddGelu"), "linear_add_gelu");
  EXPECT_EQ(snake_name("ABC"), "abc");
}

TEST(Names, Spellings) {
  EXPECT_TRUE(is_version("10.0.3"));
  for (const char* text : {"1.0", "1.0.0.0", "01.0.0", "1.0.x", "", "1..0", "1.0.0-rc"})
    EXPECT_FALSE(is_version(text)) << text;
  EXPECT_TRUE(is_op_type("Add3"));
  for (const char* text : {"add", "3Add", "Add_Relu", ""}) EXPECT_FALSE(is_op_type(text)) << text;
}

}  // namespace
}  // namespace opkit
