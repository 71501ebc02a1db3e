#include "opkit/model/export/read_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/model/export/write_project.h"
#include "tests/unit/model/file/geared_model.h"

namespace opkit::model_export {
namespace {

using testing::HasSubstr;

Result<const OpContract*> none(const model::PluginId& plugin) {
  return Error("OPK-EXPORT-002", plugin.op + " is not installed", "install it");
}

TEST(ReadPlan, TakesStepsOfTheHost) {
  model::OfflineModel model = model::small_model();
  model.plugins.clear();
  auto program = read_plan(model, none);
  ASSERT_TRUE(program.ok()) << program.error().to_string();
  EXPECT_EQ(program->calls.size(), model.steps.size());
  ASSERT_TRUE(complete(*program).ok());
  const auto project = project_of(*program);
  ASSERT_TRUE(project.ok()) << project.error().to_string();
  EXPECT_FALSE(project->files.at("weights.bin").empty());
}

TEST(ReadPlan, RefusesModelsOfSeveralDims) {
  const auto refused = read_plan(model::geared_model(), none);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(), HasSubstr("OPK-EXPORT-001: the model has gears"));
}

TEST(ReadPlan, NeedsTheContractsOfCalls) {
  model::OfflineModel model = model::small_model();
  model.plugins = {{"acme", "Scale", "1.0.0", "", ""}};
  model.steps[0].kind = model::StepKind::kKernel;
  const auto refused = read_plan(model, none);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(), HasSubstr("OPK-EXPORT-002: Scale is not installed"));
}

}  // namespace
}  // namespace opkit::model_export
