// What a launch without data depends on: chips of one family often get the same one.
#ifndef OPKIT_VERIFY_PROOF_LAUNCH_TEXT_H_
#define OPKIT_VERIFY_PROOF_LAUNCH_TEXT_H_

#include <string>

#include "opkit/call/plan/call_plan.h"

namespace opkit::verify {

// Returns the bytes that are equal for two plans of the same call when their launches write the
// same places and take the same memories: the tiling, and what the chip's cores are.
std::string launch_text(const CallPlan& plan);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_LAUNCH_TEXT_H_
