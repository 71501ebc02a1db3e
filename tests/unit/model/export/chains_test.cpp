#include "opkit/model/export/chains.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/model/export/write_project.h"
#include "small_programs.h"

namespace opkit::model_export {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> steps_of(const OperationChain& chain) {
  std::vector<std::string> all;
  for (const Follower& one : chain.followers) all.push_back(one.what + " " + one.operand);
  return all;
}

TEST(Chains, TakeWhatFollowsAProduct) {
  const auto chains = chains_of(program_with({{"Conv", {"x", "w"}, {"a"}, {}, {}},
                                              {"Add", {"channels", "a"}, {"b"}, {}, {}},
                                              {"Add", {"other", "b"}, {"c"}, {}, {}},
                                              {"Relu", {"c"}, {"y"}, {}, {}}}));
  ASSERT_THAT(chains, SizeIs(1));
  EXPECT_THAT(chains[0].operations, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(chains[0].bias, "channels");
  EXPECT_THAT(steps_of(chains[0]), ElementsAre("binary_add other", "eltwise_relu "));
}

TEST(Chains, TakeAGateOfTheProduct) {
  const auto chains = chains_of(program_with({{"Conv", {"x", "w"}, {"a"}, {}, {}},
                                              {"Sigmoid", {"a"}, {"b"}, {}, {}},
                                              {"Mul", {"a", "b"}, {"y"}, {}, {}}}));
  ASSERT_THAT(chains, SizeIs(1));
  EXPECT_THAT(steps_of(chains[0]), ElementsAre("eltwise_swish "));
}

// Nothing follows a value that something else reads, that is rounded, or that a row of numbers,
// which no primitive adds, is added to.
TEST(Chains, EndWhereAValueIsNeeded) {
  const auto read_twice = chains_of(program_with({{"Conv", {"x", "w"}, {"a"}, {}, {}},
                                                  {"Relu", {"a"}, {"b"}, {}, {}},
                                                  {"Sub", {"a", "b"}, {"y"}, {}, {}}}));
  EXPECT_THAT(read_twice[0].operations, ElementsAre(0));
  ExportedProgram rounded =
      program_with({{"Conv", {"x", "w"}, {"a"}, {}, {}}, {"Relu", {"a"}, {"y"}, {}, {}}});
  rounded.rounded["a"] = DType::kFloat16;
  EXPECT_THAT(chains_of(rounded)[0].operations, ElementsAre(0));
  const auto row = chains_of(
      program_with({{"Conv", {"x", "w"}, {"a"}, {}, {}}, {"Add", {"a", "row"}, {"y"}, {}, {}}}));
  EXPECT_THAT(row[0].operations, ElementsAre(0));
}

TEST(Chains, HoldFunctionsByThemselves) {
  const auto chains = chains_of(program_with(
      {{"Mul", {"channels", "x"}, {"a"}, {}, {}}, {"Clip", {"a", "", ""}, {"y"}, {}, {}}}));
  ASSERT_THAT(chains, SizeIs(2));
  EXPECT_EQ(chains[0].value, "x");
  EXPECT_THAT(steps_of(chains[0]), ElementsAre("binary_mul channels"));
  EXPECT_THAT(steps_of(chains[1]), ElementsAre("eltwise_clip "));
}

// Operands of a chain stay until its end, where the step reads them.
TEST(Chains, BecomeStepsWithLoopsBesideThem) {
  const auto project = project_of(program_with({{"Conv", {"x", "w"}, {"a"}, {}, {}},
                                                {"Add", {"a", "other"}, {"b"}, {}, {}},
                                                {"Relu", {"b"}, {"y"}, {}, {}}}));
  ASSERT_TRUE(project.ok()) << project.error().to_string();
  const std::string& source = project->files.at("model.cpp");
  EXPECT_THAT(source, AllOf(HasSubstr("if (!plan.conv("), HasSubstr("algorithm::binary_add"),
                            HasSubstr("true}, {algorithm::eltwise_relu, 0.0f, 0.0f}})) {"),
                            HasSubstr("plan.loop({"), HasSubstr("plan.release(m.block<float>(")));
  EXPECT_THAT(project->files.at("CMakeLists.txt"), HasSubstr("MODEL_ONEDNN"));
}

}  // namespace
}  // namespace opkit::model_export
