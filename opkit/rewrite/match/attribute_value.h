// What a node of a graph states, as a value of a contract's attribute.
#ifndef OPKIT_REWRITE_MATCH_ATTRIBUTE_VALUE_H_
#define OPKIT_REWRITE_MATCH_ATTRIBUTE_VALUE_H_

#include <optional>
#include <string>

#include "opkit/contract/attr.h"
#include "opkit/graph/graph.h"

namespace opkit::match {

// Returns nothing when the attribute's type cannot hold it.
std::optional<AttrValue> value_for(AttrType type, const graph::Attribute& attribute);
// Returns a scalar or a list of numbers.
std::optional<AttrValue> value_for(AttrType type, const graph::RefTensor& tensor);

// Tells whether a literal of a reference says what the node states.
bool says(const AttrValue& literal, const graph::Attribute& attribute);

// Says an attribute in messages: "0.2", "[1, 2]", "a tensor".
std::string text_of(const graph::Attribute& attribute);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_ATTRIBUTE_VALUE_H_
