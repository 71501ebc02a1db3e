// The commands of the tools for ops alone, which `make demo` builds.
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/command_new.h"
#include "opkit/cli/commands/command_test.h"
#include "opkit/cli/commands/left_out.h"

namespace opkit::cli {

// Returns what stands before the first underscore: "model" of model_run.
std::vector<std::string> left_out_words() {
  std::vector<std::string> words;
  for (const std::string name : {
#define OPKIT_COMMAND(name)
#define OPKIT_COMMAND_OF_MODELS(name) #name,
#include "opkit/cli/commands/commands.def"
#undef OPKIT_COMMAND_OF_MODELS
#undef OPKIT_COMMAND
       })
    words.push_back(name.substr(0, name.find('_')));
  return words;
}

Command new_command() { return new_command_of_templates(); }

Command test_command() { return test_command_with(nullptr); }

const Commands& all_commands() {
  static const Commands commands({
#define OPKIT_COMMAND(name) name##_command(),
#define OPKIT_COMMAND_OF_MODELS(name)
#include "opkit/cli/commands/commands.def"
#undef OPKIT_COMMAND_OF_MODELS
#undef OPKIT_COMMAND
  });
  return commands;
}

}  // namespace opkit::cli
