// Parts of an Execution and of run() that do not depend on where the plugin runs.
#ifndef OPKIT_CALL_EXECUTE_EXECUTION_H_
#define OPKIT_CALL_EXECUTE_EXECUTION_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/call/execute/invocation.h"

namespace opkit {

// Returns what the plan alone says; without tensors.
Execution execution_of(const CallPlan& plan);
// Gives inputs that are addresses alone memory of this process, and their values.
void fill_inputs(Invocation& invocation);
// Returns the paddings of tensors as they are stored.
std::vector<std::vector<Padding>> paddings_of(const Ports& stored,
                                              const std::vector<PortLayouts>& layouts);
// Returns how run() watches.
WatchOptions run_options(bool checked);
// Returns what the engine refused, or the first mistake that the Checked mode saw. `place`:
// "op_kernel/add.cpp:48" of a return address, or empty.
Status first_mistake(const Watched& watched, const std::string& op,
                     const std::function<std::string(const void*)>& place);

// Returns the first fault of a launch as an error, but for launches that Checked judged: their
// findings say it.
Status fault_of(const Observation& seen, Mode mode, const std::string& op);

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_EXECUTION_H_
