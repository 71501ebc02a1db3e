// InitValue: what an OpDef says that an output holds when its kernel starts.
#ifndef OPKIT_CALL_PLAN_INITIAL_VALUE_H_
#define OPKIT_CALL_PLAN_INITIAL_VALUE_H_

#include <cstdint>
#include <optional>

#include "opkit/abi/plugin.h"
#include "opkit/contract/op_contract.h"
#include "opkit/soc/soc_spec.h"

namespace opkit {

// Returns what an output starts with on the chip; nothing without an InitValue. OPK-RUN-004: a
// value that its type cannot have, or one that would destroy the input in whose place the output
// lies.
Result<std::optional<double>> initial_value(const opk_op_v1& op, const OpContract& contract,
                                            size_t output, size_t column, const SocSpec& soc);

// Returns one per column of the declaration, or nullptr. Plugins of an older SDK do not have the
// field.
const double* init_values_of(const opk_declared_port_v1& port);

// Writes the value to every element. bytes: of whole elements.
void write_value(DType dtype, double value, void* memory, uint64_t bytes);

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_INITIAL_VALUE_H_
