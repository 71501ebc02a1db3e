// Attention of heads in a graph: softmax(q * k' * scale + mask) * v, wherever the factors stand.
// Private to the rewrites.
#ifndef OPKIT_REWRITE_PASSES_ATTENTION_H_
#define OPKIT_REWRITE_PASSES_ATTENTION_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/passes/readers.h"

namespace opkit::passes {

// Names of values. All have the same dims but for the last two.
struct Attention {
  std::string q, v, result;
  std::string keys;  // the other operand of q, without factors: keys in columns
  std::string k;     // keys in rows, of which `keys` is the Transpose; empty: no value is that
  std::string mask;  // added to the scores; empty: none
  double scale = 1;  // product of all factors
};

// The attention around a Softmax. Nothing: it is none. REQUIRES: the graph is canonical.
std::optional<Attention> attention_at(const graph::Graph& graph, const Readers& readers,
                                      const graph::Node& softmax);

// Returns a mask with a number for every score, which all heads share: a constant that repeats its
// numbers is added to `form` with all of them. Empty: it is no such mask.
std::string whole_mask(const graph::Graph& graph, const std::string& mask, int64_t rows,
                       int64_t columns, graph::Graph& form);

// The order of dims in which the last two are exchanged.
std::vector<int64_t> turning(size_t rank);

// Writes each attention of four dims whose keys lie in rows as references of attention say it, with
// grouped heads: its result keeps its name. Returns how many there were; nodes are in no order.
size_t write_attentions(const graph::Graph& graph, const Readers& readers, graph::Graph& form);

// Lets attentions be such ones: those of three dims get a fourth, and a Transpose that turns keys
// together with other dims becomes two. Returns how many there were; nodes are in no order.
size_t lift_attentions(graph::Graph& graph);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_ATTENTION_H_
