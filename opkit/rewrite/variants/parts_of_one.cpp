#include "opkit/rewrite/variants/parts_of_one.h"

#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/variants/elementwise.h"
#include "opkit/rewrite/variants/tensor_parts.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

void PartsOfOne::add(JoinedValue whole, const std::vector<size_t>& sources) {
  wholes_.push_back(std::move(whole));
  gone_.insert(sources.begin(), sources.end());
}

void PartsOfOne::lift() {
  for (size_t w = 0; w < wholes_.size(); ++w) {  // lifting adds to them
    const std::vector<size_t> readers = readers_.of(wholes_[w].parts[0]);
    for (const size_t reader : readers) lift_reader(reader);
  }
}

const JoinedValue* PartsOfOne::whole_of(const std::string& first_part) const {
  for (const JoinedValue& whole : wholes_) {
    if (whole.parts[0] == first_part) return &whole;
  }
  return nullptr;
}

// Tells whether `operand` is to part number `part` what `first` is to the first one.
bool PartsOfOne::same_place(const std::string& operand, const std::string& first,
                            size_t part) const {
  const JoinedValue* whole = whole_of(first);
  if (whole != nullptr) return whole->parts[part] == operand;
  return first.empty() ? operand.empty()
                       : before_.constant(first) != nullptr && before_.constant(operand) != nullptr;
}

// Returns the nodes that compute on the other parts what the node computes on the first one, the
// node itself in front; none: a part has no such node.
std::vector<size_t> PartsOfOne::counterparts(size_t first) const {
  const Node& model = before_.nodes[first];
  const std::vector<std::string> variables = variables_of(before_, model);
  const JoinedValue* whole = variables.empty() ? nullptr : whole_of(variables[0]);
  if (whole == nullptr) return {};
  std::vector<size_t> all = {first};
  for (size_t p = 1; p < whole->parts.size(); ++p) {
    const std::vector<size_t>& readers = readers_.of(whole->parts[p]);
    const auto found = std::find_if(readers.begin(), readers.end(), [&](size_t n) {
      const Node& node = before_.nodes[n];
      if (node.inputs.size() != model.inputs.size() || !alike(node, model)) return false;
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        if (!same_place(node.inputs[i], model.inputs[i], p)) return false;
      }
      return keeps_dims(before_, node) && std::count(all.begin(), all.end(), n) == 0;
    });
    if (found == readers.end()) return {};
    all.push_back(*found);
  }
  return all;
}

bool PartsOfOne::lift_reader(size_t first) {
  const Node& model = before_.nodes[first];
  if (gone_.count(first) > 0 || !is_elementwise(model) || !keeps_dims(before_, model)) return false;
  const std::vector<size_t> nodes = counterparts(first);
  if (nodes.empty()) return false;
  Node joined = model;
  joined.name.clear();
  for (size_t i = 0; i < model.inputs.size(); ++i) {
    if (!join_operand(nodes, i, joined)) return false;
  }
  JoinedValue whole{passes::fresh_name(graph_, model.outputs[0] + "/whole"), {}};
  for (const size_t n : nodes) whole.parts.push_back(before_.nodes[n].outputs[0]);
  joined.outputs[0] = whole.name;
  graph_.nodes.push_back(std::move(joined));
  add(std::move(whole), nodes);
  return true;
}

bool PartsOfOne::join_operand(const std::vector<size_t>& nodes, size_t operand, Node& joined) {
  std::string& name = joined.inputs[operand];
  if (name.empty()) return true;
  if (before_.constant(name) != nullptr) return join_constants(nodes, operand, joined);
  name = whole_of(name)->name;
  return true;
}

// Constants that do not reach along the axis must be equal; others are joined.
bool PartsOfOne::join_constants(const std::vector<size_t>& nodes, size_t operand, Node& joined) {
  const size_t rank = passes::shape_of(before_, before_.nodes[nodes[0]].outputs[0])->rank();
  const size_t from_end = rank - axis_;
  std::vector<const RefTensor*> parts;
  size_t reaching = 0;
  bool equal = true;
  for (const size_t n : nodes) {
    const RefTensor& one = *before_.constant(before_.nodes[n].inputs[operand]);
    const bool reaches = one.shape.rank() >= from_end && one.shape[one.shape.rank() - from_end] > 1;
    reaching += reaches ? 1 : 0;
    parts.push_back(&one);
    equal = equal && one.dtype == parts[0]->dtype && one.shape == parts[0]->shape &&
            one.values == parts[0]->values;
  }
  if (reaching == 0) return equal;
  if (reaching != nodes.size()) return false;
  const size_t axis = parts[0]->shape.rank() - from_end;
  for (const RefTensor* one : parts) {
    Shape same = one->shape;
    if (same.rank() != parts[0]->shape.rank() || one->dtype != parts[0]->dtype) return false;
    same[axis] = parts[0]->shape[axis];
    if (!(same == parts[0]->shape)) return false;
  }
  joined.inputs[operand] = passes::add_constant(graph_, joined.inputs[operand] + "/whole",
                                                variants::joined(parts, axis));
  return true;
}

bool PartsOfOne::is_needed(const JoinedValue& whole) const {
  return std::any_of(whole.parts.begin(), whole.parts.end(), [&](const std::string& part) {
    const std::vector<size_t>& readers = readers_.of(part);
    return readers_.is_output(part) || std::any_of(readers.begin(), readers.end(),
                                                   [&](size_t n) { return gone_.count(n) == 0; });
  });
}

void PartsOfOne::split(const JoinedValue& whole) {
  RefTensor sizes{DType::kInt64, Shape{static_cast<int64_t>(whole.parts.size())}, {}};
  for (const std::string& part : whole.parts)
    sizes.values.push_back(static_cast<double>((*passes::shape_of(before_, part))[axis_]));
  const std::string operand = passes::add_constant(graph_, whole.name + "/sizes", std::move(sizes));
  graph_.nodes.push_back(
      {"Split", {whole.name, operand}, whole.parts, {{"axis", static_cast<int64_t>(axis_)}}});
}

void PartsOfOne::finish() {
  std::vector<Node> kept;
  for (size_t n = 0; n < graph_.nodes.size(); ++n) {
    if (gone_.count(n) == 0) kept.push_back(std::move(graph_.nodes[n]));
  }
  graph_.nodes = std::move(kept);
  for (const JoinedValue& whole : wholes_) {
    if (is_needed(whole)) split(whole);
  }
}

}  // namespace opkit::variants
