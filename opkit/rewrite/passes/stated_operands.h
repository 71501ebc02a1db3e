// Operands of a node that are constants, written in one form. Private to the rewrites.
#ifndef OPKIT_REWRITE_PASSES_STATED_OPERANDS_H_
#define OPKIT_REWRITE_PASSES_STATED_OPERANDS_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

using Integers = std::vector<int64_t>;

// Whole numbers as the attribute of older versions or the constant operand says them; `otherwise`
// when neither is there, nothing when the operand is no constant. Far ones are cut to +-2^62.
std::optional<Integers> integers_of(const graph::Graph& graph, const graph::Node& node,
                                    size_t operand, const std::string& attribute,
                                    const std::optional<Integers>& otherwise);

// Axes counted from the front; nothing when one does not exist.
std::optional<Integers> from_front(Integers axes, size_t rank);

// Makes a 1-D int64 constant of these numbers the operand. Returns whether it was another one.
size_t state_integers(graph::Graph& graph, graph::Node& node, size_t operand,
                      const std::string& name, const Integers& numbers);

// Tells whether the node says pads, strides, dilations and kernel_shape, as state_windows makes it.
bool has_stated_window(const graph::Node& node);

// Takes the attributes away. Returns how many there were.
size_t drop_attributes(graph::Node& node, std::initializer_list<const char*> names);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_STATED_OPERANDS_H_
