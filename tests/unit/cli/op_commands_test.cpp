#include <gtest/gtest.h>

#include <algorithm>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/command_new.h"

namespace opkit::cli {
namespace {

bool has_flag(const Command& command, const char* name) {
  return std::any_of(command.flags.begin(), command.flags.end(),
                     [&](const Flag& flag) { return flag.name == name; });
}

TEST(OpCommands, AreWhatTheDemoRuns) {
  for (const char* name : {"new", "build", "install", "why", "test", "run"})
    EXPECT_NE(all_commands().find(name), nullptr) << name;
}

TEST(OpCommands, ReadNoModels) {
  for (const char* name : {"atc", "om show", "model run", "analyze", "compare", "memory"})
    EXPECT_EQ(all_commands().find(name), nullptr) << name;
  EXPECT_FALSE(has_flag(*all_commands().find("new"), "--from-model"));
}

TEST(OpCommands, NewReadsModelsWhereThereIsSomebodyToReadThem) {
  const Command command = new_command_of_models(nullptr);
  for (const char* name : {"--template", "--from-model", "--nodes", "--input_shape"})
    EXPECT_TRUE(has_flag(command, name)) << name;
  EXPECT_EQ(command.flags.back().name, "--list");
}

}  // namespace
}  // namespace opkit::cli
