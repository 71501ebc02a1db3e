// Errors that tell of the machine and its limits, not of a plugin.
#ifndef OPKIT_EXECUTE_HOST_LACKS_H_
#define OPKIT_EXECUTE_HOST_LACKS_H_

#include <string_view>

#include "opkit/base/status.h"

namespace opkit {

// No process for the plugin; a process that was killed from outside, or found no memory, thread or
// processor time.
inline bool is_of_host(std::string_view code) {
  return code == "OPK-WORKER-001" || code == "OPK-WORKER-012";
}

inline bool host_lacks(const Error& error) { return is_of_host(error.code); }

}  // namespace opkit

#endif  // OPKIT_EXECUTE_HOST_LACKS_H_
