// SaidCall: a call of an op as somebody describes it, and the facts that follow from that.
#ifndef OPKIT_MEASURE_SAID_SAID_CALL_H_
#define OPKIT_MEASURE_SAID_SAID_CALL_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/call/infer/facts.h"
#include "opkit/call/plan/said_outputs.h"
#include "opkit/contract/op_contract.h"

namespace opkit::measure {

// Holds what was said of the inputs, by port and in the order it was given.
struct SaidCall {
  std::map<std::string, std::vector<std::string>> shapes;  // dims as written: "32, 1..64, ?"
  std::map<std::string, DType> dtypes;
  std::optional<DType> any_dtype;  // is the dtype of the first input: --dtype float16
  std::map<std::string, Format> formats;
  std::map<std::string, std::vector<Tensor>> tensors;  // read from files
  AttrValues attrs;
  std::map<std::string, std::vector<Shape>> out_shapes;  // is keyed by output port
};

// Reads dims as they are written behind `flag`. Error: OPK-CLI-021.
Result<TensorFacts> facts_of_dims(const char* flag, const std::string& name, std::string_view dtype,
                                  const std::string& dims);

// Returns what was said of the outputs' shapes, by the contract's output ports.
SaidOutputs said_outputs(const OpContract& contract, const SaidCall& said);

// Finds the first column that takes the dtypes and formats that were said. Error: OPK-CLI-011 when
// there is none.
Result<size_t> pick_column(const OpContract& contract, const SaidCall& said);

// Returns the facts of every input port. Error: OPK-CLI-003 for a required input without a shape.
Result<std::vector<PortFacts>> facts_of(const OpContract& contract, const SaidCall& said);

}  // namespace opkit::measure

#endif  // OPKIT_MEASURE_SAID_SAID_CALL_H_
