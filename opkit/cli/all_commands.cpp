#include "opkit/cli/commands/all_commands.h"

#include "opkit/cli/commands/left_out.h"

namespace opkit::cli {

std::vector<std::string> left_out_words() { return {}; }

const Commands& all_commands() {
  static const Commands commands({
#define OPKIT_COMMAND(name) name##_command(),
#define OPKIT_COMMAND_OF_MODELS(name) name##_command(),
#include "opkit/cli/commands/commands.def"
#undef OPKIT_COMMAND_OF_MODELS
#undef OPKIT_COMMAND
  });
  return commands;
}

}  // namespace opkit::cli
