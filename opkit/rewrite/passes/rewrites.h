// The rewrites of this folder. Private to it and to their proofs.
#ifndef OPKIT_REWRITE_PASSES_REWRITES_H_
#define OPKIT_REWRITE_PASSES_REWRITES_H_

#include "opkit/graph/graph.h"

namespace opkit::passes {

Result<size_t> remove_dead_code(graph::Graph& graph);
Result<size_t> raise_version(graph::Graph& graph);
Result<size_t> fold_constants(graph::Graph& graph);
Result<size_t> state_defaults(graph::Graph& graph);
Result<size_t> state_windows(graph::Graph& graph);
Result<size_t> state_axes(graph::Graph& graph);
Result<size_t> state_norms(graph::Graph& graph);
Result<size_t> state_sums(graph::Graph& graph);
Result<size_t> state_squares(graph::Graph& graph);
Result<size_t> state_bounds(graph::Graph& graph);
Result<size_t> state_slices(graph::Graph& graph);
Result<size_t> state_splits(graph::Graph& graph);
Result<size_t> state_pads(graph::Graph& graph);
Result<size_t> state_resizes(graph::Graph& graph);
Result<size_t> state_numbers(graph::Graph& graph);
Result<size_t> state_scales(graph::Graph& graph);
Result<size_t> share_subexpressions(graph::Graph& graph);
Result<size_t> drop_no_ops(graph::Graph& graph);
Result<size_t> drop_neutral_operands(graph::Graph& graph);
Result<size_t> order_operands(graph::Graph& graph);
Result<size_t> state_reshapes(graph::Graph& graph);
Result<size_t> join_reshapes(graph::Graph& graph);
Result<size_t> join_transposes(graph::Graph& graph);
Result<size_t> state_types(graph::Graph& graph);
Result<size_t> join_casts(graph::Graph& graph);
Result<size_t> join_pads(graph::Graph& graph);
Result<size_t> fold_batch_norm(graph::Graph& graph);
Result<size_t> fold_bias(graph::Graph& graph);
Result<size_t> fold_scale(graph::Graph& graph);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_REWRITES_H_
