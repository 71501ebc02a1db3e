// Sample calls: values for a contract's symbols and attributes that its constraints accept, to try
// its reference on before there is any data.
#ifndef OPKIT_CONTRACT_SAMPLE_CALLS_H_
#define OPKIT_CONTRACT_SAMPLE_CALLS_H_

#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit {

struct SampleCall {
  SymbolValues symbols;
  AttrValues attrs;  // complete
  Location where;    // tells the case of the contract; without a line: made here
};

// The cases of the contract and a few small calls that are made up: dims that differ, dims that
// agree, optional inputs present and absent. Empty when none of them meets the constraints.
std::vector<SampleCall> sample_calls(const OpContract& contract);

// "M=7, N=11, axis=-1"; without what is absent.
std::string to_string(const SampleCall& call);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_SAMPLE_CALLS_H_
