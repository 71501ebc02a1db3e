// Events of captured streams: they draw other streams in and bring them back.
#ifndef OPKIT_ACL_RUNTIME_CAPTURE_EVENT_H_
#define OPKIT_ACL_RUNTIME_CAPTURE_EVENT_H_

#include <optional>

#include "opkit/acl/base/error.h"

namespace opkit::acl {

// Make the record or wait a step, or an error; nothing: neither event nor stream is captured.
std::optional<aclError> capture_record(aclrtEvent event, aclrtStream stream);
std::optional<aclError> capture_wait(aclrtStream stream, aclrtEvent event);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_RUNTIME_CAPTURE_EVENT_H_
