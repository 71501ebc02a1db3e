// The commands of the tools for ops alone, which `make demo` builds.
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/command_new.h"

namespace opkit::cli {

Command new_command() { return new_command_of_templates(); }

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
