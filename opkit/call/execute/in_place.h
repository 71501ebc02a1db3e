// Whether a call gives the same results when an output lies where an input lies.
#ifndef OPKIT_CALL_EXECUTE_IN_PLACE_H_
#define OPKIT_CALL_EXECUTE_IN_PLACE_H_

#include <memory>

#include "opkit/call/plan/dry_launch.h"
#include "opkit/core/machine.h"

namespace opkit {

// A proof for this call, its tiling and any data: without data, with the two at one address, no
// byte is read after it was written, and Checked finds no race and no other error, so that every
// order which the chip allows reads before it writes. False: not proved, be it that the kernel
// does what was said, reads data to decide, or issues too many instructions to be watched.
// Errors: launch_dry's. REQUIRES: the ports exist.
Result<bool> takes_in_place(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
                            const InPlace& pair);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_IN_PLACE_H_
