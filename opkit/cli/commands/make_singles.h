// Who makes the single ops that opkit test compares fused ops with; the tools for ops alone have
// nobody who does.
#ifndef OPKIT_CLI_COMMANDS_MAKE_SINGLES_H_
#define OPKIT_CLI_COMMANDS_MAKE_SINGLES_H_

#include <memory>

#include "opkit/verify/unfused/single_ops.h"
#include "registry/registry.h"

namespace opkit::cli {

// Makes them of installed ops. The registry outlives them. nullptr: nothing is compared.
using MakeSingles = std::unique_ptr<verify::SingleOps> (*)(const registry::Registry& registry);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_MAKE_SINGLES_H_
