#include "opkit/model/export/decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_programs.h"

namespace opkit::model_export {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(Decisions, SayWhatTheProcessorDoesForEachCall) {
  ExportedProgram program = program_with({{"Conv", {"x", "w"}, {"a"}, {}, {}},
                                          {"Relu", {"a"}, {"b"}, {}, {}},
                                          {"PRelu", {"b", "channels"}, {"y"}, {}, {}}});
  program.calls = {{"Conv", "c1"}, {"ReluThen", "r1+p1"}};
  program.operations[1].call = program.operations[2].call = 1;
  const auto decisions = decisions_of(program);
  ASSERT_THAT(decisions, SizeIs(2));
  EXPECT_THAT(decisions[0].steps, ElementsAre("conv+relu"));
  EXPECT_THAT(decisions[1].steps, ElementsAre("in the step of c1", "loop of PRelu"));
}

TEST(Decisions, FindTheOpsOfNodesElsewhere) {
  const std::map<std::string, std::string> ops = {
      {"a", "ConvRelu"}, {"b", "ConvRelu"}, {"c", "Add"}};
  EXPECT_EQ(ops_of(ops, "a+b+c"), "ConvRelu, Add");
  EXPECT_EQ(ops_of(ops, "d"), "-");
}

TEST(Decisions, RefuseAModelOfAnotherNetwork) {
  const std::vector<Decision> decisions = {{"c1+r1", "ConvRelu", {}}, {"p1", "PRelu", {}}};
  EXPECT_TRUE(check_beside(decisions, {{"r1", "Relu"}}, "other.om").ok());
  const Status refused = check_beside(decisions, {{"x1", "Relu"}}, "other.om");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-EXPORT-004");
  EXPECT_EQ(refused.error().message,
            "other.om has none of the 2 calls' nodes: it is another network");
}

}  // namespace
}  // namespace opkit::model_export
