#ifndef OPKIT_REGISTRY_COPY_TREE_H_
#define OPKIT_REGISTRY_COPY_TREE_H_

#include <filesystem>

#include "opkit/base/status.h"

namespace opkit::registry {

// Copies regular files and directories. OPK-INSTALL-005 for links, devices and more than a package
// may hold.
Status copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_COPY_TREE_H_
