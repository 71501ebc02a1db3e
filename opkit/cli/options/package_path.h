// The package that a path on the command line means.
#ifndef OPKIT_CLI_OPTIONS_PACKAGE_PATH_H_
#define OPKIT_CLI_OPTIONS_PACKAGE_PATH_H_

#include <filesystem>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// An archive or a package directory as it is, the one package of a built project, or the package of
// one contract of a project. What is older
// than its sources is never taken: a project is built again, as it was built before; a package
// directory is refused. OPK-FILE-001 nothing there; OPK-BUILD-005 not built, -006 several packages,
// -012 older than its sources; errors of building.
Result<std::filesystem::path> package_at_path(const std::filesystem::path& path, Console& console);

// Returns every package of a project that makes several, as those of a family of ops do.
Result<std::vector<std::filesystem::path>> packages_at_path(const std::filesystem::path& path,
                                                            Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_PACKAGE_PATH_H_
