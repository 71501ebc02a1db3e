// An installer: one file that a shell runs, with packages of one vendor in it.
#ifndef OPKIT_BUILD_PROJECT_RUN_FILE_H_
#define OPKIT_BUILD_PROJECT_RUN_FILE_H_

#include <filesystem>
#include <vector>

#include "opkit/base/status.h"
#include "registry/package.h"

namespace opkit::project {

// Writes `file`, replacing one that is there; on failure it stays as it was. Equal packages give
// equal files. The file holds the packages' archives and the headers of their aclnn calls; it needs
// an opkit where it runs, which judges the archives before anything is installed. REQUIRES: at
// least one package. OPK-RUNFILE-001: packages of several vendors; and the codes of pack() and
// write_file(). An op whose calls no header can express has none.
Status write_run_file(const std::vector<registry::Package>& packages,
                      const std::filesystem::path& file);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_RUN_FILE_H_
