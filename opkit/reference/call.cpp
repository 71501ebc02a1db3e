#include "opkit/reference/call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace opkit::reference {
namespace {

template <typename T>
T value_or(const Attribute* attribute, T otherwise) {
  return attribute == nullptr ? std::move(otherwise) : std::get<T>(*attribute);
}

}  // namespace

bool OperatorCall::known(size_t i) const {
  if (!has_input(i)) return true;
  const auto elements = input(i).shape.checked_elements();
  return elements.ok() && *elements == input(i).elements();
}

bool OperatorCall::has_attribute(std::string_view name) const {
  return node_.attributes.count(std::string(name)) > 0;
}

const Attribute* OperatorCall::attribute(std::string_view name) const {
  const auto stated = node_.attributes.find(std::string(name));
  if (stated != node_.attributes.end()) return &stated->second;
  const AttributeSpec* spec = find_attribute(attributes_, name, opset_);
  return spec != nullptr && spec->otherwise ? &*spec->otherwise : nullptr;
}

int64_t OperatorCall::integer(std::string_view name) const { return integer(name, 0); }
double OperatorCall::number(std::string_view name) const { return number(name, 0); }
std::string OperatorCall::text(std::string_view name) const { return text(name, ""); }

int64_t OperatorCall::integer(std::string_view name, int64_t otherwise) const {
  return value_or(attribute(name), otherwise);
}

double OperatorCall::number(std::string_view name, double otherwise) const {
  const Attribute* found = attribute(name);
  if (found != nullptr && std::holds_alternative<int64_t>(*found)) {
    return static_cast<double>(std::get<int64_t>(*found));
  }
  return value_or(found, otherwise);
}

std::string OperatorCall::text(std::string_view name, std::string_view otherwise) const {
  return value_or(attribute(name), std::string(otherwise));
}

std::vector<int64_t> OperatorCall::integers(std::string_view name,
                                            std::vector<int64_t> otherwise) const {
  return value_or(attribute(name), std::move(otherwise));
}

std::vector<double> OperatorCall::numbers(std::string_view name) const {
  return value_or(attribute(name), std::vector<double>());
}

std::vector<std::string> OperatorCall::texts(std::string_view name) const {
  return value_or(attribute(name), std::vector<std::string>());
}

const RefTensor* OperatorCall::tensor(std::string_view name) const {
  const Attribute* found = attribute(name);
  return found == nullptr ? nullptr : &std::get<RefTensor>(*found);
}

Result<size_t> OperatorCall::axis(int64_t axis, size_t rank) const {
  const int64_t dims = static_cast<int64_t>(rank);
  if (axis < -dims || axis >= dims) {
    return attribute_error(fmt::format("axis {} of a tensor of rank {}", axis, rank));
  }
  return static_cast<size_t>(axis < 0 ? axis + dims : axis);
}

Result<std::vector<size_t>> OperatorCall::axes(const std::vector<int64_t>& axes,
                                               size_t rank) const {
  std::vector<size_t> out;
  for (int64_t value : axes) {
    OPKIT_TRY(const size_t position, axis(value, rank));
    out.push_back(position);
  }
  std::sort(out.begin(), out.end());
  if (std::adjacent_find(out.begin(), out.end()) != out.end()) {
    return attribute_error(fmt::format("axes [{}] name one axis twice", fmt::join(axes, ", ")));
  }
  return out;
}

Result<std::vector<int64_t>> OperatorCall::integers_of(size_t i) const {
  OPKIT_CHECK(require_integer(i));
  const std::vector<double>& values = input(i).values;
  return std::vector<int64_t>(values.begin(), values.end());
}

Result<double> OperatorCall::scalar_of(size_t i) const {
  OPKIT_CHECK(require_one_element(i));
  return input(i)[0];
}

Result<int64_t> OperatorCall::integer_of(size_t i) const {
  OPKIT_TRY(const double value, scalar_of(i));
  if (value == std::trunc(value) && std::abs(value) <= kMaxExactInteger) {
    return static_cast<int64_t>(value);
  }
  return error(kUndefinedResult, fmt::format("input {} is {}, not an integer", i, value),
               "give an integer");
}

Result<std::optional<std::vector<int64_t>>> OperatorCall::integers_from(
    size_t i, std::string_view name) const {
  if (has_input(i)) {
    OPKIT_TRY(std::vector<int64_t> values, integers_of(i));
    return std::optional(std::move(values));
  }
  if (has_attribute(name)) return std::optional(integers(name));
  return std::optional<std::vector<int64_t>>();
}

Status OperatorCall::require_same_dtype() const {
  for (size_t i = 1; i < input_count(); ++i) {
    if (!has_input(i) || input(i).dtype == input(0).dtype) continue;
    return error(kBadDType,
                 fmt::format("input {} is {}, input 0 is {}", i, name_of(input(i).dtype),
                             name_of(input(0).dtype)),
                 "give inputs of one dtype");
  }
  return {};
}

Status OperatorCall::require_float(size_t i) const {
  if (is_float(input(i).dtype)) return {};
  return error(kBadDType,
               fmt::format("input {} is {}, not a float type", i, name_of(input(i).dtype)),
               "cast the input");
}

Status OperatorCall::require_integer(size_t i) const {
  if (is_integer(input(i).dtype)) return {};
  return error(kBadDType,
               fmt::format("input {} is {}, not an integer type", i, name_of(input(i).dtype)),
               "cast the input");
}

Status OperatorCall::require_one_element(size_t i) const {
  const auto& dims = input(i).shape.dims();
  if (std::all_of(dims.begin(), dims.end(), [](int64_t dim) { return dim == 1; })) return {};
  return shape_error(
      fmt::format("input {} must have one element, not shape {}", i, input(i).shape.to_string()));
}

Status OperatorCall::require_rank(size_t i, size_t least, size_t most) const {
  const size_t rank = input(i).shape.rank();
  if (rank >= least && rank <= most) return {};
  return shape_error(fmt::format("input {} has rank {} (shape {}); {} to {} expected", i, rank,
                                 input(i).shape.to_string(), least, most));
}

Status OperatorCall::check_size(const Shape& shape) const {
  const bool negative =
      std::any_of(shape.dims().begin(), shape.dims().end(), [](int64_t dim) { return dim < 0; });
  if (negative)
    return shape_error(fmt::format("the result would have shape {}", shape.to_string()));
  OPKIT_TRY([[maybe_unused]] const int64_t elements, shape.checked_elements());
  return {};
}

Result<RefTensor> OperatorCall::make(DType dtype, const Shape& shape) const {
  OPKIT_CHECK(check_size(shape));
  const int64_t elements = shape.elements();
  if (elements > kMaxElements) {
    return error(kTooLarge,
                 fmt::format("a result of shape {} has more than {} elements", shape.to_string(),
                             kMaxElements),
                 "use smaller shapes");
  }
  return RefTensor{dtype, shape, std::vector<double>(static_cast<size_t>(elements))};
}

Result<double> OperatorCall::integer_result(DType dtype, Wide value) const {
  constexpr Wide kLimit = Wide{1} << 53;
  const Wide result = wrapped(dtype, value);
  if (result >= -kLimit && result <= kLimit) return static_cast<double>(result);
  return error(
      kInexactInteger,
      fmt::format("the {} result {} is beyond 2^53", name_of(dtype), static_cast<double>(result)),
      "use smaller values");
}

Error OperatorCall::error(const char* code, std::string message, std::string action) const {
  Error out = Error(code, std::move(message), std::move(action)).of(op());
  if (!node_.name.empty()) out.trail.push_back("node " + node_.name);
  return out;
}

Error OperatorCall::shape_error(std::string message) const {
  return error(kBadShape, std::move(message), "correct the shapes of the node's inputs");
}

Error OperatorCall::attribute_error(std::string message) const {
  return error(kBadAttribute, std::move(message), "correct the node's attributes");
}

Error OperatorCall::not_implemented(std::string what) const {
  return error(kNotImplemented, "not implemented: " + std::move(what),
               "see docs/reference-ops.md for what the reference interpreter knows");
}

Result<Outputs> only(Result<RefTensor> output) {
  if (!output.ok()) return std::move(output).error();
  Outputs outputs;
  outputs.push_back(std::move(*output));
  return outputs;
}

}  // namespace opkit::reference
