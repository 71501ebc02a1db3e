// Which program a worker is.
#ifndef OPKIT_ISOLATION_WORKER_FILE_H_
#define OPKIT_ISOLATION_WORKER_FILE_H_

#include <filesystem>

#include "opkit/base/status.h"

namespace opkit::isolation {

// $OPKIT_WORKER; opkit-worker beside this program; beside or under the library that holds this
// code. Error: OPK-WORKER-001.
Result<std::filesystem::path> worker_file();

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_WORKER_FILE_H_
