#include "opkit/base/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace opkit {

bool Shape::is_static() const {
  return std::all_of(dims_.begin(), dims_.end(), [](int64_t dim) { return dim >= 0; });
}

int64_t Shape::elements() const {
  int64_t product = 1;
  for (int64_t dim : dims_) product *= dim;
  return product;
}

Result<int64_t> Shape::checked_elements() const {
  if (!is_static()) {
    return Error("OPK-SHAPE-001", fmt::format("shape {} has unknown dims", to_string()),
                 "give every dim a value");
  }
  int64_t product = 1;
  for (int64_t dim : dims_) {
    if (dim != 0 && product > (int64_t{1} << 62) / dim) {
      return Error("OPK-SHAPE-002",
                   fmt::format("shape {} has more than 2^62 elements", to_string()),
                   "use smaller dims");
    }
    product *= dim;
  }
  return product;
}

std::string Shape::to_string() const {
  if (!has_rank()) return "[...]";
  std::string text = "[";
  for (size_t i = 0; i < dims_.size(); ++i) {
    if (i) text += ", ";
    text += dims_[i] == kUnknownDim ? "?" : std::to_string(dims_[i]);
  }
  return text + "]";
}

Result<Shape> Shape::parse(std::string_view text) {
  const Error bad("OPK-SHAPE-003", fmt::format("'{}' is not a shape", text),
                  "write dims separated by commas, e.g. 32,128");
  if (!text.empty() && text.front() == '[') {
    if (text.back() != ']') return bad;
    text = text.substr(1, text.size() - 2);
  }
  std::vector<int64_t> dims;
  while (!text.empty()) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    const size_t end = std::min(text.find_first_of(",x"), text.size());
    std::string_view word = text.substr(0, end);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    int64_t dim = kUnknownDim;
    if (word != "?") {
      const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), dim);
      if (code != std::errc() || stop != word.data() + word.size() || dim < kUnknownRank)
        return bad;
    }
    dims.push_back(dim);
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
    if (text.empty()) return bad;
  }
  return Shape(std::move(dims));
}

}  // namespace opkit
