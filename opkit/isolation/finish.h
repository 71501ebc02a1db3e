// The end of reading what a worker, or its host, sent.
#ifndef OPKIT_ISOLATION_FINISH_H_
#define OPKIT_ISOLATION_FINISH_H_

#include <string>

#include "opkit/base/status.h"
#include "opkit/base/wire.h"

namespace opkit::isolation {

// Error: OPK-WORKER-006, when something was wrong with the bytes of `what`, or some are left over.
Status finish(const wire::Reader& reader, const std::string& what);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_FINISH_H_
