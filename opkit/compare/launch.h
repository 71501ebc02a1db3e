// One launch under the model of time. Private to this folder.
#ifndef OPKIT_COMPARE_LAUNCH_H_
#define OPKIT_COMPARE_LAUNCH_H_

#include "opkit/compare/compare.h"

namespace opkit::compare {

// Error: Executor::cost's.
Result<Launch> modelled(const std::string& op, Executor& executor, const SharedPlan& plan);

}  // namespace opkit::compare

#endif  // OPKIT_COMPARE_LAUNCH_H_
