// What a subject moves through global memory, as kernels of one operator each and as
// one kernel, when every kernel touches a tensor once.
#ifndef OPKIT_FUSION_FEASIBLE_TRAFFIC_H_
#define OPKIT_FUSION_FEASIBLE_TRAFFIC_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/fusion/feasible/subject.h"

namespace opkit::feasible {

// Bytes of one tensor.
struct TensorAccess {
  std::string tensor;
  uint64_t separate_read = 0, separate_written = 0;
  uint64_t fused_read = 0, fused_written = 0;
};

// A kernel: its nodes, and what it moves.
struct Kernel {
  std::vector<size_t> nodes;  // numbers nodes of the subject's graph
  uint64_t read = 0, written = 0;
};

struct TensorTotals {
  std::vector<TensorAccess> tensors;  // are in the order in which they are first touched
  std::vector<Kernel> separate;
  Kernel fused;

  uint64_t separate_bytes() const;
  uint64_t fused_bytes() const { return fused.read + fused.written; }
  // Returns the share that goes: 1 for all of it.
  double saved() const;
};

// Views are no kernels. Numbers of one element stand in kernels. What picks elements of an operand
// (Gather, Slice, Split) reads as many as it gives.
TensorTotals traffic_of(const Subject& subject);

// Returns the tensor whose memory a value has: its own, or through views an earlier one.
std::string memory_of(const graph::Graph& graph, const std::string& value);

// As it is stored.
uint64_t bytes_of(const Subject& subject, const std::string& value);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_TRAFFIC_H_
