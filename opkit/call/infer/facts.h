// TensorFacts: what is known of a tensor before it exists.
#ifndef OPKIT_CALL_INFER_FACTS_H_
#define OPKIT_CALL_INFER_FACTS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/contract/op_contract.h"
#include "opkit/contract/range.h"

namespace opkit {

struct TensorFacts {
  TensorDesc desc;            // the shape may hold -1, or be -2
  std::vector<Range> ranges;  // what is known of unknown dims; empty, or one for each dim
  std::optional<std::vector<int64_t>> values;  // elements of a value-dependent integer input

  // Returns what is known of dim i: its value, its range, or any dim.
  Range dim(size_t i) const;
  // "x: float16 [?, 1..64, 128] ND"
  std::string to_string() const;
  // Returns the form that to_string() writes, with or without name and format: "float16 [2, ?]".
  // Dims are separated by commas; "1..64" is a range, "?" or -1 unknown, "[...]" an unknown rank.
  static Result<TensorFacts> parse(std::string_view text);
};

// The tensors of one port: one when required, at most one when optional, any number when dynamic.
using PortFacts = std::vector<TensorFacts>;

// Deals a flat list of inputs out to the ports: in order, one each; a dynamic port takes what the
// ports behind it leave. A tensor of undefined dtype is an absent optional input, as are missing
// ones at the end.
Result<std::vector<PortFacts>> arrange_inputs(const OpContract& contract,
                                              std::span<const TensorDesc> tensors);
Result<std::vector<PortFacts>> arrange_inputs(const OpContract& contract,
                                              std::span<const TensorFacts> tensors);

}  // namespace opkit

#endif  // OPKIT_CALL_INFER_FACTS_H_
