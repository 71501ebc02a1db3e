// --out-initial: what outputs hold when the kernel starts, for kernels that add into them.
#ifndef OPKIT_CLI_OPTIONS_INITIAL_OUTPUTS_H_
#define OPKIT_CLI_OPTIONS_INITIAL_OUTPUTS_H_

#include "opkit/call/execute/executor.h"
#include "opkit/cli/options/arguments.h"

namespace opkit::cli {

Flag initial_output_flag();

// Plans the call and gives it the outputs that the arguments name: of a .npy file, or a number in
// every element. OPK-CLI-006, -007: no such output; -008: neither a file nor a number; -013: an
// output of several tensors; the errors of .npy files and of planning.
Status start_outputs(Executor& executor, const Arguments& arguments, Invocation& call);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_INITIAL_OUTPUTS_H_
