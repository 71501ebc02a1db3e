#include "opkit/contract/attr.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/base/suggest.h"

namespace opkit {
namespace {

std::string quote(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string print_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const std::string text = fmt::format("{}", value);
  const bool whole = text.find_first_of(".e") == text.npos;
  return whole ? text + ".0" : text;
}

std::string print_element(bool value) { return value ? "true" : "false"; }
std::string print_element(int64_t value) { return std::to_string(value); }
std::string print_element(double value) { return print_number(value); }
std::string print_element(const std::string& value) { return quote(value); }

template <typename T>
std::string print_element(const std::vector<T>& values) {
  std::vector<std::string> texts;
  for (const T& value : values) texts.push_back(print_element(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

Result<bool> read_element(const Value& value, std::string_view what, bool*) {
  return value.as_bool(what);
}
Result<int64_t> read_element(const Value& value, std::string_view what, int64_t*) {
  return value.as_int(what);
}
Result<double> read_element(const Value& value, std::string_view what, double*) {
  return value.as_number(what);
}
Result<std::string> read_element(const Value& value, std::string_view what, std::string*) {
  return value.as_string(what);
}

template <typename T>
Result<AttrValue> read_scalar(const Value& value, std::string_view what) {
  OPKIT_TRY(T element, read_element(value, what, static_cast<T*>(nullptr)));
  return AttrValue(std::move(element));
}

template <typename T>
Result<AttrValue> read_list(const Value& value, std::string_view what) {
  if (!value.is_list()) {
    return Error("OPK-ATTR-001", fmt::format("{} must be a list", what),
                 "write it in brackets, e.g. [1, 2]")
        .at(value.where);
  }
  std::vector<T> elements;
  for (size_t i = 0; i < value.items.size(); ++i) {
    OPKIT_TRY(T element, read_element(value.items[i], fmt::format("{}[{}]", what, i),
                                      static_cast<T*>(nullptr)));
    elements.push_back(std::move(element));
  }
  return AttrValue(std::move(elements));
}

// Calls check on each element as a scalar AttrValue; stops at the first error.
template <typename Check>
Status for_each_element(const AttrValue& value, const Check& check) {
  return std::visit(
      [&](const auto& held) -> Status {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_constructible_v<AttrValue, T> &&
                      (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)) {
          return check(value);
        } else {
          for (const auto& element : held) {
            using E = typename T::value_type;
            OPKIT_CHECK(check(AttrValue(static_cast<E>(element))));
          }
          return {};
        }
      },
      value);
}

// Returns the elements of a list of numbers.
std::vector<double> numbers_of(const AttrValue& value) {
  if (const auto* whole = std::get_if<std::vector<int64_t>>(&value))
    return {whole->begin(), whole->end()};
  if (const auto* real = std::get_if<std::vector<double>>(&value)) return *real;
  return {};
}

std::string elements_text(Elements elements) {
  return elements == Elements::kPermutation ? "the numbers from 0, each once"
                                            : std::string(name_of(elements));
}

double as_double(const AttrValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

}  // namespace

const std::vector<std::string>& attr_type_names() {
  static const std::vector<std::string> kNames = {
      "bool", "int", "float", "string", "list_bool", "list_int", "list_float", "list_string"};
  return kNames;
}

std::string_view name_of(AttrType type) { return attr_type_names()[static_cast<size_t>(type)]; }

std::optional<AttrType> attr_type_from_name(std::string_view name) {
  const auto& names = attr_type_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<AttrType>(found - names.begin());
}

AttrType element_type(AttrType type) {
  if (!is_list(type)) return type;
  return static_cast<AttrType>(static_cast<int>(type) - static_cast<int>(AttrType::kListBool));
}

size_t length_of(const AttrValue& value) {
  return std::visit(
      [](const auto& held) -> size_t {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
          return 1;
        else
          return held.size();
      },
      value);
}

std::string to_string(const AttrValue& value) {
  return std::visit([](const auto& held) { return print_element(held); }, value);
}

Result<AttrValue> read_attr_value(const Value& value, AttrType type, std::string_view what) {
  switch (type) {
    case AttrType::kBool: return read_scalar<bool>(value, what);
    case AttrType::kInt: return read_scalar<int64_t>(value, what);
    case AttrType::kFloat: return read_scalar<double>(value, what);
    case AttrType::kString: return read_scalar<std::string>(value, what);
    case AttrType::kListBool: return read_list<bool>(value, what);
    case AttrType::kListInt: return read_list<int64_t>(value, what);
    case AttrType::kListFloat: return read_list<double>(value, what);
    case AttrType::kListString: break;
  }
  return read_list<std::string>(value, what);
}

bool NumberInterval::contains(double value) const {
  const bool above = lo_open ? value > lo : value >= lo;
  const bool below = hi_open ? value < hi : value <= hi;
  return above && below;
}

bool NumberInterval::contains_all(const NumberInterval& other) const {
  const bool low = lo < other.lo || (lo == other.lo && (!lo_open || other.lo_open));
  const bool high = hi > other.hi || (hi == other.hi && (!hi_open || other.hi_open));
  return low && high;
}

std::string NumberInterval::to_string() const {
  return fmt::format("{}{}, {}{}", lo_open ? "(" : "[", lo, hi, hi_open ? ")" : "]");
}

Status Attr::check(const AttrValue& value) const {
  if (type_of(value) != type) {
    return Error(
        "OPK-ATTR-002",
        fmt::format("attribute {} is {}, not {}", name, name_of(type), name_of(type_of(value))),
        fmt::format("give a value of type {}", name_of(type)));
  }
  OPKIT_CHECK(check_list(value));
  return for_each_element(value, [this](const AttrValue& one) { return check_element(one); });
}

Status Attr::check_element(const AttrValue& element) const {
  if (range && !range->contains(as_double(element))) {
    return Error("OPK-ATTR-003",
                 fmt::format("attribute {} is {}, outside its range {}", name, to_string(element),
                             range->to_string()),
                 "give a value within the range");
  }
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), element) == allowed.end()) {
    std::vector<std::string> texts;
    for (const AttrValue& one : allowed) texts.push_back(to_string(one));
    return Error("OPK-ATTR-004",
                 fmt::format("attribute {} is {}, not one of {}", name, to_string(element),
                             fmt::join(texts, ", ")),
                 "give one of the listed values");
  }
  return {};
}

Status Attr::check_list(const AttrValue& value) const {
  const auto count = static_cast<int64_t>(length_of(value));
  if (length && (count < length->first || count > length->second)) {
    const std::string wanted = length->first == length->second
                                   ? std::to_string(length->first)
                                   : fmt::format("{} to {}", length->first, length->second);
    return Error("OPK-ATTR-007",
                 fmt::format("attribute {} is {}, which has {} elements, not {}", name,
                             to_string(value), count, wanted),
                 fmt::format("give {} elements", wanted));
  }
  if (elements == Elements::kAny || satisfies(elements, numbers_of(value))) return {};
  return Error("OPK-ATTR-008",
               fmt::format("attribute {} is {}, but its elements must be {}", name,
                           to_string(value), elements_text(elements)),
               "give elements that are " + elements_text(elements));
}

}  // namespace opkit
