#include "opkit/rewrite/passes/attention.h"

#include <algorithm>
#include <cmath>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;

class Walk {
 public:
  Walk(const Graph& graph, const Readers& readers) : graph_(graph), readers_(readers) {}

  const Node* definition(const std::string& value) const {
    const size_t n = readers_.definition(value);
    return n < graph_.nodes.size() ? &graph_.nodes[n] : nullptr;
  }

  // Returns the value in front of products with, and quotients by, single constants.
  std::string without_factors(std::string value, double& scale) const {
    for (const Node* node = definition(value); node != nullptr; node = definition(value)) {
      const bool divides = node->op_type == "Div";
      if ((node->op_type != "Mul" && !divides) || node->inputs.size() != 2) break;
      const graph::RefTensor* factor = graph_.constant(node->inputs[1]);
      const Shape *in = shape_of(graph_, node->inputs[0]), *out = shape_of(graph_, value);
      if (factor == nullptr || factor->elements() != 1 || !in || !out || *in != *out) break;
      scale *= divides ? 1 / (*factor)[0] : (*factor)[0];
      value = node->inputs[0];
    }
    return value;
  }

  // Returns the value that a Transpose of its last two dims alone makes this one; empty: none.
  std::string unturned(const std::string& value) const {
    const Node* node = definition(value);
    if (node == nullptr || node->op_type != "Transpose") return "";
    const auto perm = node->attributes.find("perm");
    if (perm == node->attributes.end()) return "";
    const auto* dims = std::get_if<Integers>(&perm->second);
    return dims != nullptr && *dims == turning(dims->size()) ? node->inputs[0] : "";
  }

  // The value of three dims that a Reshape gives a fourth one in front of the last two, for
  // `batches` to count, and the other way round; the value itself where none does.
  std::string without_batches(const std::string& value, int64_t& batches) const {
    return reshaped_heads(value, 3, batches);
  }
  std::string with_batches(const std::string& value, int64_t& batches) const {
    return reshaped_heads(value, 4, batches);
  }

  // The heads that this value has several times each, side by side, for `times` to count; the
  // value itself where it has not: Reshape, Expand, Reshape.
  std::string unrepeated(const std::string& value, int64_t& times) const {
    const Node* joined = definition(value);
    const Node* expanded =
        joined != nullptr && joined->op_type == "Reshape" ? definition(joined->inputs[0]) : nullptr;
    const Node* spread = expanded != nullptr && expanded->op_type == "Expand"
                             ? definition(expanded->inputs[0])
                             : nullptr;
    if (spread == nullptr || spread->op_type != "Reshape") return value;
    const Shape *heads = shape(spread->inputs[0]), *one = shape(expanded->inputs[0]),
                *all = shape(joined->inputs[0]), *out = shape(value);
    if (!heads || !one || !all || !out || heads->rank() != 4 || out->rank() != 4) return value;
    const Integers& h = heads->dims();
    if (one->dims() != Integers{h[0], h[1], 1, h[2], h[3]} || all->rank() != 5) return value;
    const int64_t each = all->dims()[2];
    if (all->dims() != Integers{h[0], h[1], each, h[2], h[3]} ||
        out->dims() != Integers{h[0], h[1] * each, h[2], h[3]})
      return value;
    times = each;
    return spread->inputs[0];
  }

  // Returns the operand of a Cast between these types; empty: it is none.
  std::string uncast(const std::string& value, DType from, DType to) const {
    const Node* node = definition(value);
    if (node == nullptr || node->op_type != "Cast") return "";
    return dtype_of(graph_, value) == to && dtype_of(graph_, node->inputs[0]) == from
               ? node->inputs[0]
               : "";
  }

  const Shape* shape(const std::string& value) const { return filled_shape_of(graph_, value); }
  const graph::RefTensor* constant(const std::string& value) const {
    return graph_.constant(value);
  }

 private:
  // Returns what a Reshape of `rank` dims reads that changes nothing but the heads, or else
  // `value`.
  std::string reshaped_heads(const std::string& value, size_t rank, int64_t& batches) const {
    const Node* node = definition(value);
    if (node == nullptr || node->op_type != "Reshape") return value;
    const Shape *from = shape(node->inputs[0]), *to = shape(value);
    if (!from || !to || from->rank() != rank || to->rank() != 7 - rank) return value;
    const Integers &flat = (rank == 3 ? from : to)->dims(), &deep = (rank == 3 ? to : from)->dims();
    if (flat[0] != deep[0] * deep[1] || flat[1] != deep[2] || flat[2] != deep[3]) return value;
    batches = deep[0];
    return node->inputs[0];
  }

  const Graph& graph_;
  const Readers& readers_;
};

// Returns what a choice by constants adds: nothing to scores, and to others what leaves nothing of
// them. Nothing where it hides other numbers, or all scores of a row. `keeps`: the condition says
// which scores stay.
std::optional<graph::RefTensor> hidden_by(const Walk& walk, const Node& choice, bool keeps) {
  constexpr double kNext = -1e4;  // makes a power that is next to nothing
  const graph::RefTensor *where = walk.constant(choice.inputs[0]),
                         *fill = walk.constant(choice.inputs[keeps ? 2 : 1]);
  if (where == nullptr || fill == nullptr || fill->elements() != 1 || !((*fill)[0] <= kNext) ||
      where->shape.rank() == 0)
    return std::nullopt;
  const int64_t row = where->shape.dims().back();
  graph::RefTensor added{fill->dtype, where->shape, {}};
  bool any = false;
  for (int64_t i = 0; i < where->elements(); ++i) {
    const bool stays = ((*where)[i] != 0) == keeps;
    any = (i % row != 0 && any) || stays;
    if (i % row == row - 1 && !any) return std::nullopt;
    added.values.push_back(stays ? 0 : -INFINITY);
  }
  return added;
}

// The product behind factors; null: there is none. `batches`: those that a mask told apart.
const Node* product_of(const Walk& walk, const std::string& value, Attention& found) {
  double scale = 1;
  std::string inner = walk.without_factors(value, scale);
  if (found.batches > 0) {
    int64_t batches = 0;
    inner = walk.without_factors(walk.without_batches(inner, batches), scale);
    if (batches != found.batches) return nullptr;
  }
  const Node* product = walk.definition(inner);
  if (product == nullptr || product->op_type != "MatMul") return nullptr;
  found.scale *= scale;
  return product;
}

const Node* summand_of(const Walk& walk, const Node& sum, Attention& found) {
  for (size_t i = 0; i < 2; ++i) {
    const Node* product = product_of(walk, sum.inputs[i], found);
    if (product == nullptr) continue;
    found.mask = sum.inputs[1 - i];
    return product;
  }
  return nullptr;
}

bool absorbs(const Walk& walk, const std::string& value) {
  const graph::RefTensor* number = walk.constant(value);
  return number != nullptr && number->elements() == 1 && (*number)[0] <= kAbsorbs;
}

// The scores that constants, or data, choose.
const Node* chosen_of(const Walk& walk, const Node& choice, Attention& found) {
  for (const bool keeps : {true, false}) {
    found.hidden = hidden_by(walk, choice, keeps);
    if (found.hidden) return product_of(walk, choice.inputs[keeps ? 1 : 2], found);
  }
  if (walk.constant(choice.inputs[0]) != nullptr) return nullptr;
  for (const size_t kept : {1, 2}) {
    if (!absorbs(walk, choice.inputs[3 - kept])) continue;
    found.choice = choice.outputs[0];
    return product_of(walk, choice.inputs[kept], found);
  }
  return nullptr;
}

// The scores that are raised to a number which leaves nothing of them.
const Node* raised_of(const Walk& walk, const Node& raised, Attention& found) {
  const Node* sum = walk.definition(raised.inputs[0]);
  if (raised.inputs.size() != 2 || !absorbs(walk, raised.inputs[1]) || sum == nullptr ||
      sum->op_type != "Add")
    return nullptr;
  const Node* product = summand_of(walk, *sum, found);
  found.choice = raised.outputs[0];
  return product;
}

// The product in front of a Softmax: what is added to it goes to `mask`, what is hidden of it to
// `hidden`.
const Node* scores_of(const Walk& walk, const std::string& softened, Attention& found) {
  found.batches = 0;
  const std::string value = walk.with_batches(softened, found.batches);
  const Node* node = walk.definition(value);
  const std::string op = node != nullptr ? node->op_type : "";
  if (op == "Where") return chosen_of(walk, *node, found);
  if (op == "Max") return raised_of(walk, *node, found);
  if (op == "Add") return summand_of(walk, *node, found);
  return product_of(walk, value, found);
}

// Takes keys and values of heads that several heads of queries share.
void share_heads(const Walk& walk, Attention& found) {
  int64_t of_k = 1, of_v = 1;
  if (found.k.empty()) return;
  const std::string k = walk.unrepeated(found.k, of_k), v = walk.unrepeated(found.v, of_v);
  if (of_k == 1 || of_k != of_v) return;
  found.k = k;
  found.v = v;
  found.sharing = of_k;
}

// Null: the value has several readers, none, or is an output.
const Node* only_reader(const Graph& graph, const Readers& readers, const std::string& value) {
  const std::vector<size_t>& behind = readers.of(value);
  return behind.size() == 1 && !readers.is_output(value) ? &graph.nodes[behind[0]] : nullptr;
}

// Tells whether heads are the same in front, and the last two dims are those of an attention.
bool fits(const Walk& walk, const Attention& found) {
  const Shape *q = walk.shape(found.q), *keys = walk.shape(found.keys), *v = walk.shape(found.v);
  if (!q || !keys || !v || q->rank() < 3 || keys->rank() != q->rank() || v->rank() != q->rank())
    return false;
  const size_t heads = q->rank() - 2;
  return std::equal(q->dims().begin(), q->dims().begin() + static_cast<std::ptrdiff_t>(heads),
                    keys->dims().begin()) &&
         std::equal(q->dims().begin(), q->dims().begin() + static_cast<std::ptrdiff_t>(heads),
                    v->dims().begin());
}

// What stands around a Softmax of the last axis.
struct Around {
  std::string scores;
  const Node* sums;  // the product of weights and values
};

// A Softmax in float32 among halves counts as one of halves.
std::optional<Around> around(const Graph& graph, const Readers& readers, const Walk& walk,
                             const Node& softmax) {
  const Shape* shape = shape_of(graph, softmax.inputs[0]);
  if (softmax.op_type != "Softmax" || shape == nullptr || shape->rank() < 3) return std::nullopt;
  const double axis = number_of(softmax, "axis", -1);
  if (axis != static_cast<double>(shape->rank()) - 1 && axis != -1) return std::nullopt;
  std::string scores = softmax.inputs[0], weights = softmax.outputs[0];
  const Node* reader = only_reader(graph, readers, weights);
  if (reader != nullptr && reader->op_type == "Cast") {
    scores = walk.uncast(scores, DType::kFloat16, DType::kFloat32);
    weights = reader->outputs[0];
    if (scores.empty() || dtype_of(graph, weights) != DType::kFloat16) return std::nullopt;
    reader = only_reader(graph, readers, weights);
  }
  const bool multiplies = reader != nullptr && reader->op_type == "MatMul" &&
                          reader->inputs[0] == weights && reader->inputs[1] != weights;
  return multiplies ? std::optional<Around>({scores, reader}) : std::nullopt;
}

}  // namespace

std::optional<Attention> attention_at(const Graph& graph, const Readers& readers,
                                      const Node& softmax) {
  const Walk walk(graph, readers);
  const auto there = around(graph, readers, walk, softmax);
  if (!there) return std::nullopt;
  Attention found;
  const Node* product = scores_of(walk, there->scores, found);
  if (product == nullptr) return std::nullopt;
  found.batches = std::max<int64_t>(found.batches, 1);
  found.q = walk.without_factors(product->inputs[0], found.scale);
  found.keys = walk.without_factors(product->inputs[1], found.scale);
  found.k = walk.unturned(found.keys);
  if (!found.k.empty()) found.k = walk.without_factors(found.k, found.scale);
  found.v = there->sums->inputs[1];
  found.result = there->sums->outputs[0];
  if (!fits(walk, found) || !(found.scale > 0)) return std::nullopt;
  share_heads(walk, found);
  return found;
}

}  // namespace opkit::passes
