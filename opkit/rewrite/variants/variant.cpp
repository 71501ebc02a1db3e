#include "opkit/rewrite/variants/variant.h"

#include <algorithm>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

const std::vector<Variant>& variants() {
  static const std::vector<Variant> kVariants = {
#define OPKIT_VARIANT(function, purpose) {#function, purpose, places_to_##function, function},
#include "opkit/rewrite/variants/variants.def"
#undef OPKIT_VARIANT
  };
  return kVariants;
}

Result<size_t> apply(graph::Graph& graph, const Variant& variant,
                     const std::vector<std::string>& places) {
  size_t changed = 0;
  for (const std::string& place : places) {
    if (!variant.apply(graph, place)) continue;
    ++changed;
    OPKIT_CHECK(graph::sort_nodes(graph));
    OPKIT_TRY([[maybe_unused]] const size_t dead, passes::remove_dead_code(graph));
    OPKIT_CHECK(reference::infer_new(graph));
  }
  return changed;
}

Result<size_t> apply(graph::Graph& graph, const VariantStep& step) {
  const auto named = std::find_if(variants().begin(), variants().end(),
                                  [&](const Variant& one) { return one.name == step.variant; });
  return apply(graph, *named, step.places);
}

}  // namespace opkit::variants
