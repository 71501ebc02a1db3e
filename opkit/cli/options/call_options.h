// --shape, --dtype, --attr, --in, --out-shape: one call of an op, as the command line describes it.
#ifndef OPKIT_CLI_OPTIONS_CALL_OPTIONS_H_
#define OPKIT_CLI_OPTIONS_CALL_OPTIONS_H_

#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/contract/op_contract.h"
#include "opkit/measure/said/said_call.h"

namespace opkit::cli {

std::vector<Flag> shape_flags();  // --shape, --dtype, --format, --attr
Flag input_flag();                // --in
Flag output_shape_flag();         // --out-shape

// OPK-CLI-006 no name=value, -007 no such input, output or attribute, -008 a value that cannot be
// read, -009 an input both as shape and file; the errors of .npy and .npz files.
Result<measure::SaidCall> read_call_options(const OpContract& contract, const Arguments& arguments);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_CALL_OPTIONS_H_
