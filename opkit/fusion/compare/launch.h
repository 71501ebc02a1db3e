// One launch under the model of time. Private to this folder.
#ifndef OPKIT_COMPARE_LAUNCH_H_
#define OPKIT_COMPARE_LAUNCH_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/fusion/compare/compare.h"

namespace opkit::compare {

// What the tensors of a port are called in the reference, by the port's name.
using Names = std::map<std::string, std::vector<std::string>>;

// Error: Executor::cost's.
Result<Launch> modelled(const std::string& op, Executor& executor, const SharedPlan& plan,
                        const Names& names);
// Models an op that does what its data say: with them, on measured chips only. Error:
// Executor::watch's, that of a fault.
Result<Launch> modelled_on_data(const Invocation& call, Executor& executor);

}  // namespace opkit::compare

#endif  // OPKIT_COMPARE_LAUNCH_H_
