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

// Names of values. All have the same dims but for the last two, and for heads of keys that several
// heads of queries share.
struct Attention {
  std::string q, v, result;
  std::string keys;  // the other operand of q, without factors: keys in columns
  std::string k;     // keys in rows, of which `keys` is the Transpose; empty: no value is that
  std::string mask;  // added to the scores; empty: none
  // Numbers that are added in place of a choice between scores and what is next to nothing; the
  // mask is empty then.
  std::optional<graph::RefTensor> hidden;
  // The sum, raised to a number, or the choice between scores and a number by data, that stands
  // where a sum with a mask may: `add_choices` makes it one.
  std::string choice;
  double scale = 1;  // product of all factors
  // Counts what the mask tells apart in heads of three dims, as a fourth dim.
  int64_t batches = 1;
  int64_t sharing = 1;  // heads of queries for each head of k and v

  bool is_masked() const { return !mask.empty() || hidden || !choice.empty(); }
};

// Returns the attention around a Softmax. Nothing: it is none. REQUIRES: the graph is canonical.
std::optional<Attention> attention_at(const graph::Graph& graph, const Readers& readers,
                                      const graph::Node& softmax);

// Returns a mask that broadcasts to the scores, of these dims and more in front, with a number for
// each of their columns: a constant that repeats one along them is added to `form` with all of
// them. Empty: it is no such mask, or there is none.
std::string mask_of(const graph::Graph& graph, const Attention& one, const Shape& scores,
                    graph::Graph& form);

// What lets nothing of a score in binary32 or binary64, of any that a network has, be left in a
// sum.
constexpr double kAbsorbs = -1e30;

// Writes choices in front of attentions as sums: Where(seen, scores, -3e38) adds
// Where(seen, 0, -3e38), and Max(scores + mask, -3e38) adds Max(mask, -3e38), once for all that
// have the same mask. Returns how many there were; nodes are in no order.
size_t add_choices(graph::Graph& graph);

// Tells whether a mask of these dims has a number for each column and broadcasts to the scores.
bool broadcasts_to_scores(const Shape& mask, const Shape& scores);

// The order of dims in which the last two are exchanged.
std::vector<int64_t> turning(size_t rank);

// Writes each attention of four dims whose keys lie in rows as references of attention say it, with
// grouped heads: its result keeps its name. Returns how many there were; nodes are in no order.
size_t write_attentions(const graph::Graph& graph, const Readers& readers, graph::Graph& form);

// Lets attentions be such ones: choices become sums, those of three dims get a fourth, and a
// Transpose that turns keys together with other dims becomes two. Returns how many there were;
// nodes are in no order.
size_t lift_attentions(graph::Graph& graph);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_ATTENTION_H_
