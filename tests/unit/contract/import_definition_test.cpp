// The prototype file that the build makes of a project's OpDefs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/contract/import_msopgen.h"
#include "opkit/contract/op_contract.h"

namespace opkit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

std::string definition(const std::string& more) {
  return "[{\"op\": \"AddAct\", \"problem\": \"\", \"input_desc\": [{\"name\": \"x\", "
         "\"param_type\": \"required\", \"type\": [\"DT_FLOAT16\", \"DT_FLOAT\"], \"format\": "
         "[\"ND\", \"ND\"]}, {\"name\": \"axes\", \"param_type\": \"optional\", \"type\": "
         "[\"DT_INT64\", \"DT_INT64\"], \"format\": [\"ND\", \"ND\"], \"value_depend\": true}], "
         "\"output_desc\": [{\"name\": \"z\", \"param_type\": \"required\", \"type\": "
         "[\"DT_FLOAT16\", \"DT_FLOAT\"], \"format\": [\"ND\", \"ND\"]}], \"attr\": []" +
         more + "}]";
}

TEST(ImportDefinition, MakesAContractThatLeavesOpenWhatIsNotSaid) {
  const auto imported = import_msopgen(
      definition(", \"soc\": [\"ascend910b\", \"ascend950\"], \"left_out\": [\"a combination\"], "
                 "\"infer_shape\": true, \"tiling\": false"),
      "prototype.json");
  ASSERT_TRUE(imported.ok()) << imported.error().to_string();
  const ImportedContract& op = imported->front();
  EXPECT_FALSE(op.has_tiling);
  EXPECT_THAT(op.notes, Contains("a combination: left out"));
  EXPECT_THAT(op.notes, Contains("opkit does not know the chip 'ascend950': left out"));
  EXPECT_THAT(op.notes, Contains(HasSubstr("outputs get theirs from the sources' InferShape")));
  EXPECT_THAT(op.notes, Contains(HasSubstr("opkit test cannot judge its numbers")));
  const auto contract = OpContract::parse(op.yaml, "made");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_EQ(contract->soc, std::vector<std::string>{"Ascend910B"});
  EXPECT_TRUE(contract->inputs[1].value_depend);
  EXPECT_TRUE(contract->outputs[0].shape.opaque);
}

TEST(ImportDefinition, SaysThatNothingRunsWithoutInferShape) {
  const auto imported = import_msopgen(definition(", \"infer_shape\": false"), "prototype.json");
  ASSERT_TRUE(imported.ok());
  EXPECT_THAT(imported->front().notes, Contains(HasSubstr("the sources have no InferShape")));
  EXPECT_TRUE(imported->front().has_tiling);
}

TEST(ImportDefinition, RefusesChipsThatItDoesNotKnow) {
  const auto imported = import_msopgen(definition(", \"soc\": [\"ascend950\"]"), "prototype.json");
  ASSERT_FALSE(imported.ok());
  EXPECT_EQ(imported.error().code, "OPK-IMPORT-011");
  EXPECT_THAT(imported.error().message, HasSubstr("none of the operator's chips"));
}

TEST(ImportDefinition, RefusesADefinitionThatIsNotUsable) {
  std::string text = definition("");
  text.replace(text.find("\"problem\": \"\""), 13, "\"problem\": \"'x' has no DataType\"");
  const auto imported = import_msopgen(text, "prototype.json");
  ASSERT_FALSE(imported.ok());
  EXPECT_EQ(imported.error().code, "OPK-IMPORT-012");
  EXPECT_THAT(imported.error().message,
              HasSubstr("the OpDef of AddAct is not usable: 'x' has no DataType"));
}

}  // namespace
}  // namespace opkit
