// Attributes: their declaration in a contract and their values.
#ifndef OPKIT_CONTRACT_ATTR_H_
#define OPKIT_CONTRACT_ATTR_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "opkit/base/document.h"
#include "opkit/base/status.h"
#include "opkit/contract/elements.h"

namespace opkit {

// The numbers are opk_attr_kind's, and the order of AttrValue's alternatives.
enum class AttrType {
  kBool = 0,
  kInt = 1,
  kFloat = 2,
  kString = 3,
  kListBool = 4,
  kListInt = 5,
  kListFloat = 6,
  kListString = 7,
};

using AttrValue = std::variant<bool, int64_t, double, std::string, std::vector<bool>,
                               std::vector<int64_t>, std::vector<double>, std::vector<std::string>>;
using AttrValues = std::map<std::string, AttrValue>;

// "bool", "int", "float", "string", "list_bool", "list_int", "list_float", "list_string".
std::string_view name_of(AttrType type);
std::optional<AttrType> attr_type_from_name(std::string_view name);
const std::vector<std::string>& attr_type_names();
inline AttrType type_of(const AttrValue& value) { return static_cast<AttrType>(value.index()); }
inline bool is_list(AttrType type) { return type >= AttrType::kListBool; }
// Returns the type of a list's elements; of a scalar, itself.
AttrType element_type(AttrType type);
// Returns how many elements a list has; 1 for a scalar.
size_t length_of(const AttrValue& value);

// As YAML writes it: true, 3, 0.5, "text", [1, 2].
std::string to_string(const AttrValue& value);
// Reads a value of the given type from a contract or a command line's JSON.
Result<AttrValue> read_attr_value(const Value& value, AttrType type, std::string_view what);

// A numeric interval, each end open or closed, possibly infinite.
struct NumberInterval {
  double lo = 0, hi = 0;
  bool lo_open = false, hi_open = false;

  bool contains(double value) const;
  bool contains_all(const NumberInterval& other) const;
  std::string to_string() const;  // "(0, 1]"
  bool operator==(const NumberInterval&) const = default;
};

struct Attr {
  std::string name;
  AttrType type = AttrType::kInt;
  std::optional<AttrValue> default_value;  // absent: the attribute is required
  std::optional<NumberInterval> range;     // bounds the value, or each element
  std::vector<AttrValue> allowed;          // 'enum'; of the value, or of each element
  // Bounds the length of a list: fewest and most elements.
  std::optional<std::pair<int64_t, int64_t>> length;
  Elements elements = Elements::kAny;  // restricts a list
  std::string doc;
  Location where;

  bool required() const { return !default_value; }
  // An error unless value has this type and lies within range, enum and length.
  Status check(const AttrValue& value) const;

 private:
  Status check_element(const AttrValue& element) const;
  Status check_list(const AttrValue& value) const;
};

}  // namespace opkit

#endif  // OPKIT_CONTRACT_ATTR_H_
