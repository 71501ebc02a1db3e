// The glue of an op that a host processor runs: its sources are compiled as they are, once, for all
// columns, and register their class.
#ifndef OPKIT_BUILD_CODEGEN_CPU_KERNEL_GLUE_H_
#define OPKIT_BUILD_CODEGEN_CPU_KERNEL_GLUE_H_

#include <string>

#include "opkit/contract/op_contract.h"

namespace opkit::codegen {

// Returns the tables behind opkit_plugin_query. `contract_literal`: the contract's text as a C++
// literal.
std::string cpu_plugin_unit(const OpContract& contract, const std::string& contract_literal);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_CPU_KERNEL_GLUE_H_
