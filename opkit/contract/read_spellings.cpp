// Spellings: other operators that mean what the reference means.
#include <fmt/format.h>

#include "opkit/base/suggest.h"
#include "opkit/contract/reader.h"

namespace opkit {

// {name: [nodes], name: {attrs: {...}, reference: [nodes]}}
void ContractReader::read_spellings(const Value& value) {
  if (!value.is_map() || value.entries.empty()) {
    return fail(value.where, "OPK-CONTRACT-052", "spellings must be a map of named references",
                "write e.g. spellings: {by_exp: [{op: Exp, in: [x], out: y}]}");
  }
  if (contract_.reference.empty()) {
    return fail(value.where, "OPK-CONTRACT-052",
                "there is no reference that the spellings could mean",
                "write the reference, or remove the spellings");
  }
  for (const Value::Entry& entry : value.entries) read_spelling(entry);
}

void ContractReader::read_spelling(const Value::Entry& entry) {
  Spelling spelling;
  spelling.name = entry.key;
  spelling.where = entry.where;
  const Value* nodes = &entry.value;
  if (entry.value.is_map()) {
    if (!accept(entry.value.check_keys("a spelling", {"attrs", "reference"}))) return;
    nodes = entry.value.find("reference");
    if (const Value* attrs = entry.value.find("attrs")) read_spelling_attrs(*attrs, spelling);
  }
  if (!nodes) {
    return fail(entry.where, "OPK-CONTRACT-052",
                fmt::format("the spelling {} has no reference", entry.key),
                "add reference: [{op: ...}]");
  }
  read_nodes(*nodes, spelling.reference);
  if (!failed_) check_spelling(spelling);
  contract_.spellings.push_back(std::move(spelling));
}

void ContractReader::read_spelling_attrs(const Value& value, Spelling& spelling) {
  if (!value.is_map()) {
    return fail(value.where, "OPK-CONTRACT-052", "attrs of a spelling must be a map",
                "write e.g. attrs: {approximate: \"tanh\"}");
  }
  std::vector<std::string> names;
  for (const Attr& attr : contract_.attrs) names.push_back(attr.name);
  for (const Value::Entry& entry : value.entries) {
    const Attr* attr = contract_.attr(entry.key);
    if (!attr) {
      return fail(entry.where, "OPK-CONTRACT-052",
                  fmt::format("'{}' is no attribute of {}", entry.key, contract_.op),
                  names.empty() ? "remove it" : suggest(entry.key, names));
    }
    AttrValue given;
    if (!accept(read_attr_value(entry.value, attr->type, entry.key), given)) return;
    Status status = attr->check(given);
    if (!status.ok()) return fail(std::move(status).error().at(entry.value.where));
    spelling.attrs.emplace(entry.key, std::move(given));
  }
}

}  // namespace opkit
