// --shape, --dtype, --attr, --in, --out-shape: one call of an op, as the command line describes it.
#ifndef OPKIT_CLI_OPTIONS_CALL_OPTIONS_H_
#define OPKIT_CLI_OPTIONS_CALL_OPTIONS_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/call/infer/facts.h"
#include "opkit/call/plan/said_outputs.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/contract/op_contract.h"

namespace opkit::cli {

std::vector<Flag> shape_flags();  // --shape, --dtype, --format, --attr
Flag input_flag();                // --in
Flag output_shape_flag();         // --out-shape

// What was said of the inputs, by port and in the order it was given.
struct CallOptions {
  std::map<std::string, std::vector<std::string>> shapes;  // dims as written: "32, 1..64, ?"
  std::map<std::string, DType> dtypes;
  std::optional<DType> any_dtype;  // --dtype float16: of the first input
  std::map<std::string, Format> formats;
  std::map<std::string, std::vector<Tensor>> tensors;  // read from files
  AttrValues attrs;
  std::map<std::string, std::vector<Shape>> out_shapes;  // by output port
};

// OPK-CLI-006 no name=value, -007 no such input, output or attribute, -008 a value that cannot be
// read, -009 an input both as shape and file; the errors of .npy and .npz files.
Result<CallOptions> read_call_options(const OpContract& contract, const Arguments& arguments);

// What --out-shape said, by the contract's output ports.
SaidOutputs said_outputs(const OpContract& contract, const CallOptions& options);

// The first column that takes the dtypes and formats that were said. OPK-CLI-011 when there is
// none.
Result<size_t> pick_column(const OpContract& contract, const CallOptions& options);

// Facts of every input port; required inputs without a shape are OPK-CLI-003.
Result<std::vector<PortFacts>> facts_of(const OpContract& contract, const CallOptions& options);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_CALL_OPTIONS_H_
