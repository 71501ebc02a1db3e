// What no cover of a model goes below, whatever is rewritten. Private to this folder.
#ifndef OPKIT_ATC_OPTIMIZE_BOUND_H_
#define OPKIT_ATC_OPTIMIZE_BOUND_H_

#include <string>

#include "opkit/graph/graph.h"

namespace opkit::optimize {

struct ModelBound {
  uint64_t memory_ns = 0;  // weights read once at the memory's rate, or outputs, too, at L2's
  uint64_t cube_ns = 0;    // multiply-adds at the cube unit's peak
  uint64_t launch_ns = 0;  // is the time of one launch

  uint64_t ns() const { return launch_ns + (memory_ns > cube_ns ? memory_ns : cube_ns); }
};

// Returns the bytes of a value as it is stored dense; 0 where its dims are not known.
double bytes_of_value(const graph::Graph& graph, const std::string& name);

// REQUIRES: shapes are known. Errors: those of the chip's figures.
Result<ModelBound> bound_of(const graph::Graph& graph, const std::string& soc);

}  // namespace opkit::optimize

#endif  // OPKIT_ATC_OPTIMIZE_BOUND_H_
