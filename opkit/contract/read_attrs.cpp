// Attribute declarations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/base/suggest.h"
#include "opkit/contract/names.h"
#include "opkit/contract/reader.h"

namespace opkit {

void ContractReader::read_attrs(const Value& value) {
  if (!value.is_map()) {
    return fail(value.where, "OPK-CONTRACT-001", "attrs must be a map of names",
                "write e.g. alpha: {type: float, default: 1.0}");
  }
  for (const Value::Entry& entry : value.entries) read_attr(entry);
}

void ContractReader::read_attr(const Value::Entry& entry) {
  const std::string what = "attribute " + entry.key;
  if (!is_identifier(entry.key) || is_reserved_attr_name(entry.key)) {
    return fail(entry.where, "OPK-CONTRACT-004",
                fmt::format("an attribute cannot be named '{}'", entry.key),
                is_identifier(entry.key) ? "choose another name: this one is reserved"
                                         : "use letters, digits and underscores");
  }
  if (!accept(entry.value.check_keys(
          what, {"type", "default", "range", "enum", "length", "elements", "required", "doc"})))
    return;
  Attr attr;
  attr.name = entry.key;
  attr.where = entry.where;
  std::string type;
  const Value* type_field = entry.value.find("type");
  if (!type_field) {
    return fail(entry.where, "OPK-CONTRACT-015", fmt::format("{} has no type", what),
                "add e.g. type: float");
  }
  if (!read_choice(*type_field, what + ".type", attr_type_names(), type)) return;
  attr.type = *attr_type_from_name(type);
  if (const Value* doc = entry.value.find("doc")) accept(doc->as_string(what), attr.doc);
  if (const Value* range = entry.value.find("range")) read_attr_range(*range, attr);
  if (const Value* allowed = entry.value.find("enum")) read_attr_enum(*allowed, attr);
  read_attr_list(entry.value, attr);
  read_attr_default(entry.value, attr);
  contract_.attrs.push_back(std::move(attr));
}

// [lo, hi], both ends included, or text with open ends: "(0, 1]".
void ContractReader::read_attr_range(const Value& value, Attr& attr) {
  const AttrType element = element_type(attr.type);
  if (element != AttrType::kInt && element != AttrType::kFloat) {
    return fail(value.where, "OPK-CONTRACT-017",
                fmt::format("{} is of type {} and has no range", attr.name, name_of(attr.type)),
                "use enum, or remove the range");
  }
  NumberInterval interval;
  if (value.is_list()) {
    if (value.items.size() != 2) {
      return fail(value.where, "OPK-CONTRACT-017", "a range has two ends",
                  "write [lowest, highest]");
    }
    if (!accept(value.items[0].as_number(attr.name + ".range"), interval.lo) ||
        !accept(value.items[1].as_number(attr.name + ".range"), interval.hi))
      return;
  } else if (!read_interval_text(value, interval)) {
    return;
  }
  const bool open = interval.lo_open || interval.hi_open;
  const bool sane = open ? interval.lo < interval.hi : interval.lo <= interval.hi;
  if (!sane) {
    return fail(value.where, "OPK-CONTRACT-017",
                fmt::format("the range {} is empty", interval.to_string()),
                "put the lower end first");
  }
  attr.range = interval;
}

bool ContractReader::read_interval_text(const Value& value, NumberInterval& interval) {
  std::string text;
  if (!accept(value.as_string("range"), text)) return false;
  const size_t comma = text.find(',');
  const bool framed = text.size() >= 5 && (text[0] == '(' || text[0] == '[') &&
                      (text.back() == ')' || text.back() == ']') && comma != text.npos;
  if (!framed) {
    fail(value.where, "OPK-CONTRACT-017", fmt::format("'{}' is no range", text),
         "write [lowest, highest], or text with open ends such as \"(0, 1]\"");
    return false;
  }
  const auto end = [&](size_t begin, size_t stop) {
    Value number;
    number.kind = Value::Kind::kScalar;
    number.where = value.where;
    number.text = text.substr(begin, stop - begin);
    const size_t first = number.text.find_first_not_of(' ');
    const size_t last = number.text.find_last_not_of(' ');
    number.text = first == std::string::npos ? "" : number.text.substr(first, last - first + 1);
    return number;
  };
  interval.lo_open = text[0] == '(';
  interval.hi_open = text.back() == ')';
  return accept(end(1, comma).as_number("range"), interval.lo) &&
         accept(end(comma + 1, text.size() - 1).as_number("range"), interval.hi);
}

void ContractReader::read_attr_enum(const Value& value, Attr& attr) {
  if (!value.is_list() || value.items.empty()) {
    return fail(value.where, "OPK-CONTRACT-017",
                fmt::format("the enum of {} must be a list of values", attr.name),
                "list the allowed values in brackets");
  }
  for (const Value& item : value.items) {
    AttrValue allowed;
    if (!accept(read_attr_value(item, element_type(attr.type), attr.name + ".enum"), allowed))
      return;
    if (std::find(attr.allowed.begin(), attr.allowed.end(), allowed) != attr.allowed.end()) {
      return fail(item.where, "OPK-CONTRACT-017",
                  fmt::format("{} is twice in the enum of {}", to_string(allowed), attr.name),
                  "remove one of them");
    }
    attr.allowed.push_back(std::move(allowed));
  }
}

// length: 2, or [fewest, most]; elements: how they depend on each other.
void ContractReader::read_attr_list(const Value& declaration, Attr& attr) {
  const Value* length = declaration.find("length");
  const Value* elements = declaration.find("elements");
  if ((length || elements) && !is_list(attr.type)) {
    return fail((length ? length : elements)->where, "OPK-CONTRACT-017",
                fmt::format("{} is of type {}, which is no list", attr.name, name_of(attr.type)),
                fmt::format("remove {}, or write type: list_{}", length ? "length" : "elements",
                            name_of(attr.type)));
  }
  if (length && !read_attr_length(*length, attr)) return;
  std::string text;
  if (!elements || !read_choice(*elements, attr.name + ".elements", elements_names(), text)) return;
  attr.elements = *elements_from_name(text);
  const AttrType element = element_type(attr.type);
  const bool numbers = element == AttrType::kInt || element == AttrType::kFloat;
  if (numbers && (element == AttrType::kInt || attr.elements != Elements::kPermutation)) return;
  fail(elements->where, "OPK-CONTRACT-017",
       fmt::format("the elements of {} are of type {} and cannot be {}", attr.name,
                   name_of(element), text),
       "remove elements, or write type: list_int");
}

bool ContractReader::read_attr_length(const Value& value, Attr& attr) {
  constexpr int64_t kMost = 1024;
  int64_t least = 0, most = 0;
  const std::string what = attr.name + ".length";
  if (value.is_list() && value.items.size() == 2) {
    if (!accept(value.items[0].as_int(what), least) || !accept(value.items[1].as_int(what), most))
      return false;
  } else if (value.is_list()) {
    fail(value.where, "OPK-CONTRACT-017", what + " has two ends", "write [fewest, most]");
    return false;
  } else if (accept(value.as_int(what), least)) {
    most = least;
  } else {
    return false;
  }
  if (least < 0 || most < least || most > kMost) {
    fail(value.where, "OPK-CONTRACT-017",
         fmt::format("{} cannot be {} to {} elements", what, least, most),
         fmt::format("write a number from 0 to {}, or [fewest, most]", kMost));
    return false;
  }
  attr.length = {least, most};
  return true;
}

void ContractReader::read_attr_default(const Value& declaration, Attr& attr) {
  const Value* given = declaration.find("default");
  const Value* required_field = declaration.find("required");
  bool required = !given;
  if (required_field && !accept(required_field->as_bool(attr.name + ".required"), required)) return;
  if (required == (given != nullptr)) {
    return fail(attr.where, "OPK-CONTRACT-016",
                given ? fmt::format("attribute {} is required and has a default", attr.name)
                      : fmt::format("attribute {} is optional without a default", attr.name),
                given ? "remove one of the two" : "add a default");
  }
  if (!given) return;
  AttrValue value;
  if (!accept(read_attr_value(*given, attr.type, attr.name + ".default"), value)) return;
  if (Status status = attr.check(value); !status.ok()) {
    return fail(given->where, "OPK-CONTRACT-016",
                "the default does not fit: " + status.error().message,
                "choose a default that the declaration allows");
  }
  attr.default_value = std::move(value);
}

}  // namespace opkit
