// Attentions as references and kernels have them.
#include <algorithm>
#include <numeric>

#include "opkit/rewrite/passes/attention.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Integers = std::vector<int64_t>;

// The scores and the weighted sums of queries, keys and values whose heads are alike.
class Chain {
 public:
  Chain(const Graph& graph, Graph& form, const Attention& one)
      : graph_(graph), form_(form), one_(one), stem_(one.result + "/attention") {}

  std::string reshaped(const std::string& value, const Integers& dims) {
    return add_reshape(form_, value, stem_, dims);
  }
  std::string transposed(const std::string& value, Integers perm) {
    return add_node(form_, "Transpose", {value}, stem_, {{"perm", std::move(perm)}});
  }

  // Adds the weighted sums; `axis` is the last one of the scores.
  std::string sums(const std::string& queries, const std::string& keys, const std::string& values,
                   const std::string& mask, int64_t axis) {
    const std::string product = add_node(form_, "MatMul", {queries, keys}, stem_);
    const std::string scale =
        add_constant(form_, stem_, {dtype_of(graph_, one_.q), Shape{}, {one_.scale}});
    std::string scores = add_node(form_, "Mul", {product, scale}, stem_);
    if (!mask.empty()) scores = add_node(form_, "Add", {scores, mask}, stem_);
    const std::string weights = add_node(form_, "Softmax", {scores}, stem_, {{"axis", axis}});
    return add_node(form_, "MatMul", {weights, values}, stem_);
  }

  // Makes the n-th node the one that gives the attention's result.
  void finish(size_t n, const std::string& sums, const Integers& dims) {
    const std::string target = add_constant(form_, stem_, whole_numbers(dims));
    form_.nodes[n] = {"Reshape", {sums, target}, {one_.result}, {}};
  }

 private:
  const Graph& graph_;
  Graph& form_;
  const Attention& one_;
  const std::string stem_;
};

// Returns the dims of a mask in front of scores whose heads are grouped by `heads` of keys.
Integers of_groups(const Shape& mask, int64_t heads) {
  Integers dims = mask.dims();
  while (dims.size() < 4) dims.insert(dims.begin(), 1);
  const bool each = dims[1] > 1;
  return {dims[0], each ? heads : 1, each ? dims[1] / heads : 1, dims[2], dims[3]};
}

bool write_attention(const Graph& graph, const Readers& readers, const Attention& one,
                     Graph& form) {
  const Shape q = *shape_of(graph, one.q), v = *shape_of(graph, one.v);
  if (q.rank() != 4 || one.k.empty()) return false;
  std::string mask = mask_of(graph, one, {q[0], q[1], q[2], v[2]}, form);
  if (mask.empty() && one.is_masked()) return false;
  Chain chain(graph, form, one);
  const auto grouped = [&](const std::string& value, int64_t heads, int64_t down, int64_t across) {
    return chain.reshaped(value, {q[0], v[1], heads, down, across});
  };
  if (!mask.empty()) mask = chain.reshaped(mask, of_groups(*shape_of(form, mask), v[1]));
  const std::string queries = grouped(one.q, one.sharing, q[2], q[3]);
  const std::string keys = grouped(chain.transposed(one.k, turning(4)), 1, q[3], v[2]);
  const std::string sums = chain.sums(queries, keys, grouped(one.v, 1, v[2], v[3]), mask, 4);
  chain.finish(readers.definition(one.result), sums, {q[0], q[1], q[2], v[3]});
  return true;
}

// Keys in rows, where a Transpose gives them in columns and does more than that.
bool split_transpose(Graph& graph, const Readers& readers, Attention& one) {
  const size_t n = readers.definition(one.keys);
  if (n >= graph.nodes.size() || graph.nodes[n].op_type != "Transpose") return false;
  const auto perm = graph.nodes[n].attributes.find("perm");
  if (perm == graph.nodes[n].attributes.end()) return false;
  Integers dims = std::get<Integers>(perm->second);
  std::swap(dims[dims.size() - 2], dims[dims.size() - 1]);
  const std::string x = graph.nodes[n].inputs[0];
  const size_t rank = dims.size();
  Shape rows = *shape_of(graph, one.keys);
  std::swap(rows.dims()[rank - 2], rows.dims()[rank - 1]);
  one.k = add_node(graph, "Transpose", {x}, one.keys + "/rows", {{"perm", std::move(dims)}});
  graph.values[one.k] = {dtype_of(graph, one.keys), rows, Format::kND, nullptr};
  graph.nodes[n].inputs[0] = one.k;
  graph.nodes[n].attributes["perm"] = turning(rank);
  return true;
}

// A fourth dim in front: one, or the batches that the mask tells apart.
bool lift_heads(Graph& graph, const Readers& readers, const Attention& one) {
  const Shape q = *shape_of(graph, one.q), v = *shape_of(graph, one.v);
  const int64_t batches = one.batches, heads = q[0] / batches;
  const std::string mask = mask_of(graph, one, {batches, heads, q[1], v[1]}, graph);
  if (mask.empty() && one.is_masked()) return false;
  const Graph before = graph;  // whose shapes are known
  Chain chain(before, graph, one);
  const std::string queries = chain.reshaped(one.q, {batches, heads, q[1], q[2]});
  const std::string rows = chain.reshaped(one.k, {batches, heads, v[1], q[2]});
  const std::string values = chain.reshaped(one.v, {batches, heads, v[1], v[2]});
  const std::string sums = chain.sums(queries, chain.transposed(rows, turning(4)), values, mask, 3);
  chain.finish(readers.definition(one.result), sums, {q[0], q[1], v[2]});
  return true;
}

}  // namespace

Integers turning(size_t rank) {
  Integers perm(rank);
  std::iota(perm.begin(), perm.end(), 0);
  if (rank > 1) std::swap(perm[rank - 2], perm[rank - 1]);
  return perm;
}

bool broadcasts_to_scores(const Shape& mask, const Shape& scores) {
  const size_t rank = mask.rank();
  if (rank < 2 || rank > scores.rank() || mask.dims().back() != scores.dims().back()) return false;
  return std::equal(mask.dims().rbegin(), mask.dims().rend(), scores.dims().rbegin(),
                    [](int64_t has, int64_t wanted) { return has == wanted || has == 1; });
}

std::string mask_of(const Graph& graph, const Attention& one, const Shape& scores, Graph& form) {
  constexpr int64_t kMost = int64_t{1} << 22;  // elements that a constant may get
  if (one.hidden) {
    if (!broadcasts_to_scores(one.hidden->shape, scores)) return "";
    return add_constant(form, one.result + "/hidden", *one.hidden);
  }
  const bool none = one.mask.empty() || !one.choice.empty();
  const Shape* shape = none ? nullptr : shape_of(graph, one.mask);
  if (shape == nullptr) return "";
  if (broadcasts_to_scores(*shape, scores)) return one.mask;
  const graph::RefTensor* known = graph.constant(one.mask);
  Integers dims = shape->dims();
  while (dims.size() < 2) dims.insert(dims.begin(), 1);
  const int64_t own = dims.back(), columns = scores.dims().back();
  dims.back() = columns;
  if (known == nullptr || (own != 1 && own != columns) ||
      !broadcasts_to_scores(Shape(dims), scores) || known->elements() > kMost / columns)
    return "";
  graph::RefTensor whole{known->dtype, Shape(dims), {}};
  for (int64_t i = 0; i < whole.shape.elements(); ++i)
    whole.values.push_back((*known)[own == 1 ? i / columns : i]);
  return add_constant(form, one.mask + "/scores", std::move(whole));
}

size_t write_attentions(const Graph& graph, const Readers& readers, Graph& form) {
  size_t changes = 0;
  for (const Node& node : graph.nodes) {
    const auto one = node.op_type == "Softmax" ? attention_at(graph, readers, node) : std::nullopt;
    if (one) changes += write_attention(graph, readers, *one, form) ? 1 : 0;
  }
  return changes;
}

size_t lift_attentions(Graph& graph) {
  size_t changes = add_choices(graph);
  const Readers readers(graph);
  const size_t count = graph.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    if (graph.nodes[n].op_type != "Softmax") continue;
    auto one = attention_at(graph, readers, graph.nodes[n]);
    if (!one) continue;
    const size_t rank = shape_of(graph, one->q)->rank();
    const bool turned = one->k.empty() && split_transpose(graph, readers, *one);
    const bool lifted = rank == 3 && !one->k.empty() && lift_heads(graph, readers, *one);
    changes += turned || lifted ? 1 : 0;
  }
  return changes;
}

}  // namespace opkit::passes
