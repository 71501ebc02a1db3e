// What Checked found, as the error of a call.
#ifndef OPKIT_CALL_EXECUTE_FINDING_ERROR_H_
#define OPKIT_CALL_EXECUTE_FINDING_ERROR_H_

#include <functional>
#include <string>

#include "opkit/base/status.h"
#include "opkit/core/modes/checked.h"

namespace opkit {

// place: "op_kernel/add.cpp:48" of a return address, or empty.
Error error_of(const core::Finding& finding, const std::string& op,
               const std::function<std::string(const void*)>& place);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_FINDING_ERROR_H_
