// Dealing a call's tensors, one after the other, to the ports of one side.
#ifndef OPKIT_CONTRACT_DEAL_H_
#define OPKIT_CONTRACT_DEAL_H_

#include <optional>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit {

struct Dealing {
  bool several_dynamic = false;     // who gets how many cannot be told then
  size_t least = 0;                 // tensors that the side takes
  std::optional<size_t> most = {};  // nothing: any number
  std::optional<std::vector<size_t>> shares =
      {};  // tensors of each port; nothing: so many cannot be dealt
};

// A port takes one tensor, a dynamic one all that the others leave. Optional ports at the end may
// go without, unless there is a dynamic one.
Dealing deal(const std::vector<Port>& ports, size_t count);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_DEAL_H_
