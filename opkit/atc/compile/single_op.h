// Models of one operator: what atc --singleop makes of a JSON file. The fields are those of the
// vendor's ATC documentation ("single-operator JSON").
#ifndef OPKIT_ATC_COMPILE_SINGLE_OP_H_
#define OPKIT_ATC_COMPILE_SINGLE_OP_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/schedule.h"
#include "opkit/contract/attr.h"
#include "opkit/graph/ref_tensor.h"

namespace opkit::compile {

struct SingleOpTensor {
  bool absent = false;  // RESERVED: an optional input that is not given
  TensorDesc desc;      // has a dense format
  std::optional<graph::RefTensor> constant;
  Location where;
};

struct SingleOp {
  std::string op;
  std::string file;  // names the model, with .om
  std::vector<SingleOpTensor> inputs, outputs;
  AttrValues attrs;
  Location where;
};

// Returns every entry of the file. Without a name an entry's model is called
// <number>_<op>_<dtype>_<format>_<dims>..., a group for each tensor. Errors: E10001 with the line,
// for what has another form or asks for what opkit's models of one operator have not (open dims,
// formats that are not dense, two models of one name).
Result<std::vector<SingleOp>> read_single_ops(std::string_view text, const std::string& file);

// Returns a model whose one kernel is the installed op's, with what turns its tensors from and into
// the op's formats. Inputs and outputs are called as the contract calls its ports. `costs`: of the
// chip that `soc` names. Errors: E10001 a call that is not the contract's, with the reason; the
// plugin's and the plan's.
Result<Schedule> compile_single_op(const SingleOp& asked, InstalledOp& op, const std::string& soc,
                                   Costs& costs);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_SINGLE_OP_H_
