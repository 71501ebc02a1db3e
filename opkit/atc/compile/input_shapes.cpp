#include "opkit/atc/compile/input_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opkit/atc/compile/flag_text.h"

namespace opkit::compile {
namespace {

Error other_form(const std::string& text, const std::string& why) {
  return Error(
      "E10002",
      fmt::format("input_shape [{}] is not of the form input_name1:n1,c1,h1,w1;input_name2:"
                  "n2,c2,h2,w2. Reason: {}",
                  text, why),
      "--input_shape=\"data:1,3,224,224\"");
}

Error several_shapes(const std::string& text) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [--input_shape] is invalid: one shape is "
                           "wanted here, no -1 and no range",
                           text),
               "state every dim");
}

std::optional<StatedDim> stated_dim(std::string_view text) {
  const size_t tilde = text.find('~');
  const auto low = whole_number(text.substr(0, tilde));
  const auto high = tilde == std::string_view::npos ? low : whole_number(text.substr(tilde + 1));
  if (!low || !high || *low < -1) return std::nullopt;
  if (tilde != std::string_view::npos && (*low < 1 || *high < *low)) return std::nullopt;
  return StatedDim{*low, *high};
}

// Reads one item of the flag: "data:1,3".
Result<StatedInput> stated_input(const std::string& text, std::string_view one) {
  const size_t colon = one.rfind(':');
  if (colon == std::string_view::npos)
    return other_form(text, fmt::format("'{}' has no colon between a name and dims", one));
  if (colon == 0) return other_form(text, fmt::format("'{}' has no name", one));
  StatedInput input{std::string(one.substr(0, colon)), {}};
  const std::string_view dims = one.substr(colon + 1);
  if (dims.empty()) return input;
  for (const std::string_view part : split(dims, ',')) {
    const auto dim = stated_dim(part);
    if (!dim)
      return other_form(text,
                        fmt::format("dim {} of input '{}' is '{}', which is no number from 0, "
                                    "no -1 and no range such as 1~8",
                                    input.dims.size() + 1, input.name, part));
    input.dims.push_back(*dim);
  }
  return input;
}

}  // namespace

Result<std::vector<StatedInput>> parse_stated_inputs(const std::string& text) {
  std::vector<StatedInput> inputs;
  for (const std::string_view one : split(text, ';')) {
    if (one.empty()) continue;
    OPKIT_TRY(StatedInput input, stated_input(text, one));
    const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const StatedInput& other) {
      return other.name == input.name;
    });
    if (known) return other_form(text, fmt::format("input '{}' stands there twice", input.name));
    inputs.push_back(std::move(input));
  }
  if (inputs.empty() && !text.empty()) return other_form(text, "it names no input");
  return inputs;
}

Result<std::map<std::string, Shape>> parse_input_shapes(const std::string& text) {
  OPKIT_TRY(const std::vector<StatedInput> inputs, parse_stated_inputs(text));
  std::map<std::string, Shape> shapes;
  for (const StatedInput& input : inputs) {
    Shape& shape = shapes[input.name];
    for (const StatedDim& dim : input.dims) {
      if (dim.open() || dim.range()) return several_shapes(text);
      shape.dims().push_back(dim.low);
    }
  }
  return shapes;
}

}  // namespace opkit::compile
