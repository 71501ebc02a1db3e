#include "opkit/reference/opaque.h"

#include <fmt/format.h>

#include <string>

namespace opkit::reference {
namespace {

constexpr const char* kTypes = "opkit:types";  // a name for each output
constexpr const char* kDims = "opkit:dims";    // lists for each output its rank, then its dims

// Null when the node does not state it, or states something else.
template <typename T>
const T* stated(const OperatorCall& call, const char* attribute) {
  const Attribute* value = call.attribute(attribute);
  return value == nullptr ? nullptr : std::get_if<T>(value);
}

Error unknown_results(const OperatorCall& call) {
  return call.error(kBadAttribute, "nothing says of which types and dims its results are",
                    "compile the model that holds it again");
}

Result<DTypes> stated_types(const OperatorCall& call) {
  const auto* names = stated<std::vector<std::string>>(call, kTypes);
  if (names == nullptr) return unknown_results(call);
  DTypes types;
  for (const std::string& name : *names) {
    const auto dtype = dtype_from_name(name);
    if (!dtype) return unknown_results(call);
    types.push_back(*dtype);
  }
  return types;
}

Result<Shapes> stated_shapes(const OperatorCall& call) {
  const auto* stated_dims = stated<std::vector<int64_t>>(call, kDims);
  if (stated_dims == nullptr) return unknown_results(call);
  const std::vector<int64_t>& all = *stated_dims;
  std::vector<Shape> shapes;
  for (size_t at = 0; at < all.size();) {
    const auto rank = static_cast<uint64_t>(all[at++]);
    if (rank > all.size() - at) return unknown_results(call);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
    shapes.emplace_back(std::vector<int64_t>(first, first + static_cast<std::ptrdiff_t>(rank)));
    at += rank;
  }
  return Shapes(std::move(shapes));
}

Result<Outputs> only_a_plugin(const OperatorCall& call) {
  const std::string type = call.op().substr(kOpaqueMark.size());
  return call
      .error(kNotImplemented,
             fmt::format("no reference says what {} computes, only its plugin does", type),
             "give its contract a reference")
      .of(type);
}

}  // namespace

bool is_opaque(std::string_view op_type) { return op_type.starts_with(kOpaqueMark); }

void state_results(graph::Node& node, const std::vector<graph::ValueInfo>& results) {
  std::vector<std::string> types;
  std::vector<int64_t> dims;
  for (const graph::ValueInfo& result : results) {
    types.emplace_back(name_of(result.dtype));
    dims.push_back(static_cast<int64_t>(result.shape->rank()));
    dims.insert(dims.end(), result.shape->dims().begin(), result.shape->dims().end());
  }
  node.attributes[kTypes] = std::move(types);
  node.attributes[kDims] = std::move(dims);
}

const Operator& opaque_operator() {
  static const Operator row{.name = kOpaqueMark,
                            .least_inputs = 0,
                            .most_inputs = kAnyNumber,
                            .most_outputs = kAnyNumber,
                            .evaluate = only_a_plugin,
                            .types = stated_types,
                            .shapes = stated_shapes};
  return row;
}

}  // namespace opkit::reference
