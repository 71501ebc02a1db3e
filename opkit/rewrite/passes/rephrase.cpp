#include "opkit/rewrite/passes/rephrase.h"

#include <algorithm>

#include "opkit/reference/infer.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {
namespace {

using graph::Graph;

std::optional<size_t> index_of(const Graph& graph, const std::string& result) {
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (result_of(graph.nodes[n]) == result) return n;
  }
  return std::nullopt;
}

// The results of the new nodes; nothing when no words fit.
Result<std::optional<std::vector<std::string>>> say_otherwise(
    Graph& graph, size_t n, std::map<std::string, size_t>& changes) {
  for (const Rephrasing& one : rephrasings()) {
    const auto parts = one.apply(graph, n);
    if (!parts) continue;
    ++changes[std::string(one.name)];
    OPKIT_CHECK(graph::sort_nodes(graph));
    OPKIT_CHECK(reference::infer(graph));
    return parts;
  }
  return std::optional<std::vector<std::string>>();
}

}  // namespace

const std::vector<Rephrasing>& rephrasings() {
  static const std::vector<Rephrasing> kRephrasings = {
      {"rephrase_axes", "names the axes of a reduction of everything", rephrase_axes},
      {"rephrase_log_sums", "writes ReduceLogSum and ReduceLogSumExp as Log of a ReduceSum",
       rephrase_log_sums},
      {"rephrase_dropped_dims", "reduces without dropping dims, which a Reshape drops",
       rephrase_dropped_dims},
      {"rephrase_scattered_axes", "transposes so that axes of a reduction lie side by side",
       rephrase_scattered_axes},
      {"rephrase_inner_axis", "transposes so that Softmax and its like see the last axis",
       rephrase_inner_axis},
      {"rephrase_lines",
       "writes Conv and pools of one spatial dim, global pools of any, as those "
       "of images",
       rephrase_lines},
      {"rephrase_ceilings", "writes a pool's ceil_mode as pads", rephrase_ceilings},
      {"rephrase_bounds", "writes a Clip whose bounds are left out or computed as Max and Min",
       rephrase_bounds},
      {"rephrase_many_operands",
       "writes Max, Min and Sum of other than two operands as those of "
       "two",
       rephrase_many_operands},
      {"rephrase_summands", "takes the summand of a Gemm that is no row out of it",
       rephrase_summands},
      {"rephrase_pixel_shuffles", "writes a DepthToSpace of columns first as Transpose",
       rephrase_pixel_shuffles},
      {"rephrase_powers", "casts whole exponents of floats", rephrase_powers},
      {"rephrase_recurrences",
       "writes RNN, GRU and LSTM as their steps, one behind the "
       "other",
       rephrase_recurrences},
  };
  return kRephrasings;
}

Result<Rephrased> rephrase(Graph& graph, const std::set<std::string>& results) {
  Rephrased done;
  for (const std::string& result : results) {
    std::vector<std::string> open = {result}, parts;
    bool changed = false;
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      const auto n = index_of(graph, name);
      if (!n) continue;
      OPKIT_TRY(const auto others, say_otherwise(graph, *n, done.changes));
      changed |= others.has_value();
      if (others) {
        open.insert(open.end(), others->begin(), others->end());
      } else {
        parts.push_back(name);
      }
    }
    if (changed) done.parts[result] = std::move(parts);
  }
  return done;
}

}  // namespace opkit::passes
