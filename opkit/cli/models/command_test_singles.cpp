#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/command_test.h"
#include "opkit/verify/single/registry_ops.h"

namespace opkit::cli {
namespace {

std::unique_ptr<verify::SingleOps> installed_singles(const registry::Registry& registry) {
  return std::make_unique<verify::RegistryOps>(registry);
}

}  // namespace

Command test_command() { return test_command_with(installed_singles); }

}  // namespace opkit::cli
