#include <fmt/format.h>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {

const std::vector<Rewrite>& canonical_rewrites() {
  static const std::vector<Rewrite> kRewrites = {
      {"remove_dead_code", "removes nodes and constants that no output needs", remove_dead_code},
      {"raise_version", "raises the operators' version to that of references, or lowers it",
       raise_version},
      {"state_defaults", "states attributes that have their default", state_defaults},
      {"state_windows",
       "states pads, strides, dilations and kernels of Conv, ConvTranspose and pools",
       state_windows},
      {"state_axes",
       "counts axes from the front, those of reductions as an attribute, CumSum's as a scalar",
       state_axes},
      {"state_norms", "gives a BatchNormalization that does not train the default momentum",
       state_norms},
      {"state_types", "writes the target of a Cast by name, and CastLike as Cast", state_types},
      {"state_sums", "writes a Sum of two operands as Add", state_sums},
      {"state_squares", "writes the second power of floats as Mul", state_squares},
      {"state_bounds", "states the bounds of a Clip as operands, and none that no number reaches",
       state_bounds},
      {"state_slices", "states bounds, axes and steps of Slice", state_slices},
      {"state_splits", "states the sizes of a Split's parts", state_splits},
      {"state_pads", "states the pads of a Pad for every dim, and its value", state_pads},
      {"state_resizes",
       "states the modes of a Resize, and its sizes where the scales are their exact quotients",
       state_resizes},
      {"state_numbers", "writes the depth of OneHot and the k of TopK and Trilu as scalars",
       state_numbers},
      {"state_scales",
       "writes the one scale and zero point of QuantizeLinear and DequantizeLinear as scalars",
       state_scales},
      {"fold_constants", "evaluates nodes whose operands are constants", fold_constants},
      {"drop_no_ops", "removes nodes that change nothing", drop_no_ops},
      {"drop_neutral_operands", "removes additions of 0 and products with 1",
       drop_neutral_operands},
      {"order_operands", "puts the constant of a commutative operator last", order_operands},
      {"state_reshapes", "writes Flatten, Squeeze and Unsqueeze as Reshape to a constant shape",
       state_reshapes},
      {"join_reshapes", "makes one Reshape of two", join_reshapes},
      {"join_transposes", "makes one Transpose of two", join_transposes},
      {"join_casts", "makes one Cast of two, where the first is exact", join_casts},
      {"join_pads", "moves a zero Pad into the Conv that reads it", join_pads},
      {"fold_batch_norm", "moves a BatchNormalization into the Conv before it", fold_batch_norm},
      {"fold_scale", "moves a factor per channel into the Conv before it", fold_scale},
      {"fold_bias", "moves a summand per channel into the Conv before it", fold_bias},
      {"share_subexpressions", "computes once what is computed twice", share_subexpressions},
  };
  return kRewrites;
}

const std::vector<Rewrite>& unfolding_rewrites() {
  static const std::vector<Rewrite> kRewrites = [] {
    std::vector<Rewrite> rewrites = canonical_rewrites();
    std::erase_if(rewrites, [](const Rewrite& rewrite) {
      return rewrite.apply == fold_batch_norm || rewrite.apply == fold_scale ||
             rewrite.apply == fold_bias;
    });
    return rewrites;
  }();
  return kRewrites;
}

Result<std::map<std::string, size_t>> canonicalize(graph::Graph& graph,
                                                   const std::vector<Rewrite>& rewrites) {
  constexpr int kMostRounds = 100;
  std::map<std::string, size_t> changes;
  OPKIT_CHECK(reference::infer(graph));
  for (int round = 0; round < kMostRounds; ++round) {
    size_t changed = 0;
    for (const Rewrite& rewrite : rewrites) {
      OPKIT_TRY(const size_t places, rewrite.apply(graph));
      if (places == 0) continue;
      changed += places;
      changes[std::string(rewrite.name)] += places;
      OPKIT_CHECK(graph::sort_nodes(graph));
      OPKIT_CHECK(reference::infer_new(graph));
    }
    if (changed > 0) continue;
    if (!changes.empty()) OPKIT_CHECK(reference::infer(graph));
    return changes;
  }
  return Error("OPK-PASS-001",
               fmt::format("the rewrites find no end within {} rounds on graph '{}'", kMostRounds,
                           graph.name),
               "report this model");
}

}  // namespace opkit::passes
