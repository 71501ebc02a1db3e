// The rephrasings of this folder. Private to it and to their proofs.
#ifndef OPKIT_REWRITE_PASSES_REPHRASINGS_H_
#define OPKIT_REWRITE_PASSES_REPHRASINGS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

using Parts = std::optional<std::vector<std::string>>;

Parts rephrase_axes(graph::Graph& graph, size_t n);
Parts rephrase_log_sums(graph::Graph& graph, size_t n);
Parts rephrase_dropped_dims(graph::Graph& graph, size_t n);
Parts rephrase_scattered_axes(graph::Graph& graph, size_t n);
Parts rephrase_inner_axis(graph::Graph& graph, size_t n);
Parts rephrase_lines(graph::Graph& graph, size_t n);
Parts rephrase_ceilings(graph::Graph& graph, size_t n);
Parts rephrase_bounds(graph::Graph& graph, size_t n);
Parts rephrase_many_operands(graph::Graph& graph, size_t n);
Parts rephrase_summands(graph::Graph& graph, size_t n);
Parts rephrase_pixel_shuffles(graph::Graph& graph, size_t n);
Parts rephrase_powers(graph::Graph& graph, size_t n);
Parts rephrase_recurrences(graph::Graph& graph, size_t n);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_REPHRASINGS_H_
