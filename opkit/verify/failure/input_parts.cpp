#include "opkit/verify/failure/input_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "opkit/call/infer/infer.h"
#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/verify/large_problem.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

constexpr int64_t kMostShown = 12;   // elements of one input
constexpr int64_t kBefore = 4;       // counts elements in front of the element itself
constexpr size_t kMostTensors = 16;  // limits all inputs

// What names each dim of a tensor: "M", "S:1" (dims of lists count from the end), or nothing.
using DimNames = std::vector<std::string>;

// Without names where the shape has an item that could be any number of dims.
DimNames names_of(const Port& port, const SymbolValues& symbols, size_t rank) {
  DimNames names;
  for (const Expr& item : port.shape.items) {
    const std::string name = item.bare_name();
    if (item.type() != Expr::Type::kList) {
      names.push_back(item.is_per_tensor() || item.is_constant() ? "" : item.to_string());
      if (!name.empty() && !item.is_per_tensor()) names.back() = name;
      continue;
    }
    const auto list = symbols.lists.find(name);
    const size_t others = port.shape.items.size() - 1;
    if (rank < others) return DimNames(rank);
    const size_t width = list == symbols.lists.end() ? rank - others : list->second.size();
    for (size_t i = width; i-- > 0;)
      names.push_back(list == symbols.lists.end() ? "" : fmt::format("{}:{}", name, i));
  }
  return names.size() == rank ? names : DimNames(rank);
}

// An index of each dim of an input; absent: all of them feed the element.
using Indices = std::vector<std::optional<int64_t>>;

class Feeding {
 public:
  Feeding(DimNames output, const std::vector<int64_t>& output_dims,
          const std::vector<int64_t>& index)
      : output_(std::move(output)), dims_(output_dims), index_(index) {}

  Indices of(const DimNames& names, const std::vector<int64_t>& dims) const {
    Indices indices(dims.size());
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] == 1) {
        indices[d] = 0;
      } else if (const auto at = named(names[d])) {
        if (index_[*at] < dims[d]) indices[d] = index_[*at];
      } else if (const auto beside = broadcast(d, dims)) {
        indices[d] = index_[*beside];
      }
    }
    return indices;
  }

 private:
  std::optional<size_t> named(const std::string& name) const {
    const auto found = std::find(output_.begin(), output_.end(), name);
    if (name.empty() || found == output_.end()) return std::nullopt;
    return static_cast<size_t>(found - output_.begin());
  }

  // Returns the output's dim above an input's, when nothing names it and the sizes agree.
  std::optional<size_t> broadcast(size_t d, const std::vector<int64_t>& dims) const {
    if (dims.size() - d > dims_.size()) return std::nullopt;
    const size_t above = dims_.size() - (dims.size() - d);
    if (!output_[above].empty() || dims_[above] != dims[d]) return std::nullopt;
    return above;
  }

  DimNames output_;
  const std::vector<int64_t>& dims_;
  const std::vector<int64_t>& index_;
};

// Returns the last axis that is not decided, else the last with more than one element.
std::optional<size_t> axis_to_show(const Indices& indices, const std::vector<int64_t>& dims) {
  for (size_t d = dims.size(); d-- > 0;) {
    if (!indices[d]) return d;
  }
  for (size_t d = dims.size(); d-- > 0;) {
    if (dims[d] > 1) return d;
  }
  return std::nullopt;
}

int64_t element_at(const std::vector<int64_t>& index, const std::vector<int64_t>& dims) {
  int64_t element = 0;
  for (size_t d = 0; d < dims.size(); ++d) element = element * dims[d] + index[d];
  return element;
}

InputPart part_of(const Tensor& tensor, std::string name, const Indices& indices) {
  InputPart part{std::move(name), tensor.shape().dims(), {}, {}, {}, {}};
  if (tensor.elements() == 0) return part;
  for (const auto& index : indices) part.first.push_back(index.value_or(0));
  part.axis = axis_to_show(indices, part.dims);
  int64_t shown = 1;
  if (part.axis) {
    const auto& own = indices[*part.axis];
    const int64_t size = part.dims[*part.axis];
    shown = std::min(kMostShown, size);
    int64_t& first = part.first[*part.axis];
    if (own) {
      first = std::clamp<int64_t>(*own - kBefore, 0, size - shown);
      part.own = static_cast<size_t>(*own - first);
    }
  } else {
    part.own = 0;
  }
  std::vector<int64_t> index = part.first;
  for (int64_t i = 0; i < shown; ++i) {
    part.values.push_back(tensor.at(element_at(index, part.dims)));
    if (part.axis) ++index[*part.axis];
  }
  return part;
}

std::string value_text(double value) { return fmt::format("{:.9g}", value); }

// JSON has no NaN and no infinities.
Json value_json(double value) {
  if (std::isfinite(value)) return value;
  return value_text(value);
}

}  // namespace

std::optional<WrongPlace> wrong_place(const OpContract& contract, const ProblemResult& failed) {
  for (size_t p = 0, at = 0; p < contract.outputs.size(); ++p) {
    for (size_t t = 0; at < failed.outputs.size() && failed.outputs[at].port == p; ++t, ++at) {
      const oracle::Comparison& comparison = failed.outputs[at];
      if (!comparison.worst.empty())
        return WrongPlace{p, t, &comparison, &comparison.worst.front()};
    }
  }
  return std::nullopt;
}

std::vector<InputPart> input_parts(const OpContract& contract, const ProblemResult& failed) {
  const auto place = wrong_place(contract, failed);
  const auto elements = stored_elements(contract, failed.problem);
  if (!place || !elements || *elements > kMostAtOnce) return {};
  const auto shapes = shapes_from_symbols(contract, failed.problem.symbols, failed.problem.attrs);
  const auto inputs = make_inputs(contract, failed.problem);
  if (!shapes.ok() || !inputs.ok()) return {};
  const SymbolValues& symbols = failed.problem.symbols;
  const std::vector<int64_t>& index = place->element->index;
  // Stay unknown for an output that only InferShape knows.
  std::vector<int64_t> dims(index.size(), -1);
  const std::vector<Shape>& known = shapes->outputs[place->port];
  if (place->tensor < known.size() && known[place->tensor].has_rank() &&
      known[place->tensor].rank() == index.size())
    dims = known[place->tensor].dims();
  const Feeding feeding(names_of(contract.outputs[place->port], symbols, index.size()), dims,
                        index);
  std::vector<InputPart> parts;
  for (size_t p = 0; p < inputs->size(); ++p) {
    for (size_t t = 0; t < (*inputs)[p].size() && parts.size() < kMostTensors; ++t) {
      const Tensor& tensor = (*inputs)[p][t];
      const DimNames names = names_of(contract.inputs[p], symbols, tensor.shape().rank());
      parts.push_back(part_of(tensor, tensor_name(contract.inputs[p], t),
                              feeding.of(names, tensor.shape().dims())));
    }
  }
  return parts;
}

std::string to_text(const InputPart& part) {
  if (part.values.empty())
    return fmt::format("{} [{}] has no elements", part.input, fmt::join(part.dims, ", "));
  std::vector<std::string> index, values;
  for (const int64_t at : part.first) index.push_back(std::to_string(at));
  if (part.axis && part.values.size() > 1)
    index[*part.axis] +=
        fmt::format("..{}", part.first[*part.axis] + static_cast<int64_t>(part.values.size()) - 1);
  for (const double value : part.values) values.push_back(value_text(value));
  if (part.own && values.size() > 1) values[*part.own] = fmt::format("[{}]", values[*part.own]);
  std::string text =
      fmt::format("{}[{}] = {}", part.input, fmt::join(index, ", "), fmt::join(values, ", "));
  const bool more = part.axis && static_cast<int64_t>(part.values.size()) < part.dims[*part.axis];
  if (more) text += fmt::format(" (of {})", part.dims[*part.axis]);
  return text;
}

Json as_json(const InputPart& part) {
  Json json{{"input", part.input}, {"dims", part.dims}, {"first", part.first}};
  json["axis"] = part.axis ? Json(*part.axis) : Json();
  json["own"] = part.own ? Json(*part.own) : Json();
  json["values"] = Json::array();
  for (const double value : part.values) json["values"].push_back(value_json(value));
  return json;
}

}  // namespace opkit::verify
