#include "opkit/compile/input_shapes.h"

#include <fmt/format.h>

namespace opkit::compile {

Error wrong_input_shape(std::string_view text) {
  return Error(
      "E10002",
      fmt::format("input_shape [{}] is not of the form input_name1:n1,c1,h1,w1;input_name2:"
                  "n2,c2,h2,w2",
                  text),
      "--input_shape=\"data:1,3,224,224\"");
}

namespace {

Error dynamic(std::string_view text) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [--input_shape] is invalid: one shape is "
                           "wanted here, no -1 and no range",
                           text),
               "state every dim");
}

}  // namespace

Result<std::map<std::string, Shape>> parse_input_shapes(std::string_view text) {
  std::map<std::string, Shape> shapes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view one = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t colon = one.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return wrong_input_shape(text);
    const std::string_view dims = one.substr(colon + 1);
    if (dims.find('~') != std::string_view::npos) return dynamic(text);
    const auto shape = Shape::parse(dims);
    if (!shape.ok()) return wrong_input_shape(text);
    if (!shape->is_static()) return dynamic(text);
    if (!shapes.emplace(one.substr(0, colon), *shape).second) return wrong_input_shape(text);
  }
  return shapes;
}

}  // namespace opkit::compile
