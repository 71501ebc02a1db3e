// Test and benchmark cases.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"
#include "opkit/contract/names.h"
#include "opkit/contract/reader.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

constexpr size_t kMaxCases = 10'000;

}  // namespace

void ContractReader::read_cases(const Value& value, std::string_view section,
                                std::vector<Case>& cases) {
  const bool tests = section == "tests";
  const std::vector<std::string> keys =
      tests ? std::vector<std::string>{"shapes", "values"} : std::vector<std::string>{"shapes"};
  if (!accept(value.check_keys(section, keys))) return;
  if (const Value* shapes = value.find("shapes")) {
    if (!shapes->is_list() || shapes->items.size() > kMaxCases) {
      return fail(shapes->where, "OPK-CONTRACT-038",
                  fmt::format("{}.shapes must be a list of at most {} cases", section, kMaxCases),
                  "write e.g. - {M: 32, N: 256}");
    }
    for (const Value& one : shapes->items) read_case(one, cases);
  }
  const Value* values = tests ? value.find("values") : nullptr;
  if (!values) return;
  AttrValue list;
  if (!accept(read_attr_value(*values, AttrType::kListString, "tests.values"), list)) return;
  contract_.test_values = std::get<std::vector<std::string>>(std::move(list));
  const auto& known = data_class_names();
  for (const std::string& name : contract_.test_values) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(values->where, "OPK-CONTRACT-041", fmt::format("'{}' is no class of test data", name),
           suggest(name, known));
  }
}

void ContractReader::read_case(const Value& value, std::vector<Case>& cases) {
  if (!value.is_map()) {
    return fail(value.where, "OPK-CONTRACT-038", "a case must be a map of symbols",
                "write e.g. {M: 32, N: 256}");
  }
  Case one;
  one.where = value.where;
  for (const Value::Entry& entry : value.entries) {
    if (!read_case_entry(entry, one)) return;
  }
  check_case(one);
  cases.push_back(std::move(one));
}

bool ContractReader::read_case_entry(const Value::Entry& entry, Case& one) {
  const Value& value = entry.value;
  if (entry.key == "absent") return read_case_names(value, "absent", one.symbols.absent);
  if (entry.key == "collapsed") return read_case_names(value, "collapsed", one.symbols.collapsed);
  if (entry.key == "count") return read_case_counts(value, one);
  if (const Symbol* symbol = contract_.symbol(entry.key)) {
    const bool was_failed = failed_;
    read_case_symbol(value, *symbol, one);
    return was_failed || !failed_;
  }
  if (const Attr* attr = contract_.attr(entry.key)) {
    AttrValue attr_value;
    if (!accept(read_attr_value(value, attr->type, entry.key), attr_value)) return false;
    one.attrs[entry.key] = std::move(attr_value);
    return true;
  }
  std::vector<std::string> names = {"absent", "collapsed", "count"};
  for (const Symbol& symbol : contract_.symbols) names.push_back(symbol.name);
  for (const Attr& attr : contract_.attrs) names.push_back(attr.name);
  fail(entry.where, "OPK-CONTRACT-038",
       fmt::format("'{}' is no symbol and no attribute of {}", entry.key, contract_.op),
       suggest(entry.key, names));
  return false;
}

bool ContractReader::read_case_names(const Value& value, std::string_view what,
                                     std::set<std::string>& names) {
  AttrValue list;
  if (!accept(read_attr_value(value, AttrType::kListString, what), list)) return false;
  for (const std::string& name : std::get<std::vector<std::string>>(list)) {
    const Port* port = contract_.input(name.substr(0, name.find(':')));
    const bool fits = port && (what == "absent" ? port->presence == Presence::kOptional
                                                : name.find(':') != name.npos);
    if (!fits) {
      fail(value.where, "OPK-CONTRACT-038", fmt::format("'{}' cannot be {}", name, what),
           what == "absent" ? "name optional inputs" : "write \"input:axis\" of a dim like N|1");
      return false;
    }
    names.insert(name);
  }
  return true;
}

bool ContractReader::read_case_counts(const Value& value, Case& one) {
  if (!value.is_map()) {
    fail(value.where, "OPK-CONTRACT-038", "count must be a map of dynamic inputs",
         "write e.g. count: {xs: 3}");
    return false;
  }
  for (const Value::Entry& entry : value.entries) {
    const Port* port = contract_.input(entry.key);
    int64_t count = 0;
    if (!accept(entry.value.as_int("count." + entry.key), count)) return false;
    if (!port || port->presence != Presence::kDynamic || count < 0 || count > 1024) {
      fail(entry.where, "OPK-CONTRACT-038",
           fmt::format("'{}' cannot have {} tensors", entry.key, count),
           "name a dynamic input and 0 to 1024 tensors");
      return false;
    }
    one.symbols.counts[entry.key] = count;
  }
  return true;
}

void ContractReader::read_case_symbol(const Value& value, const Symbol& symbol, Case& one) {
  std::vector<int64_t> dims(1);
  if (symbol.kind == Symbol::Kind::kDim) {
    if (!accept(value.as_int(symbol.name), dims[0])) return;
  } else {
    AttrValue list;
    if (!accept(read_attr_value(value, AttrType::kListInt, symbol.name), list)) return;
    dims = std::get<std::vector<int64_t>>(std::move(list));
  }
  if (std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; }))
    return fail(value.where, "OPK-CONTRACT-038", fmt::format("the dim {} is negative", symbol.name),
                "give a dim of at least 0");
  if (symbol.kind == Symbol::Kind::kDim) {
    one.symbols.dims[symbol.name] = dims[0];
  } else {
    one.symbols.lists[symbol.name] = std::move(dims);
  }
}

void ContractReader::check_case(const Case& one) {
  for (const Symbol& symbol : contract_.symbols) {
    const bool given = one.symbols.dims.count(symbol.name) || one.symbols.lists.count(symbol.name);
    const bool only_absent = one.symbols.absent.count(symbol.port) > 0;
    if (given || only_absent) continue;
    return fail(one.where, "OPK-CONTRACT-039",
                fmt::format("the case gives no value for {}", symbol.name),
                symbol.kind == Symbol::Kind::kDim ? fmt::format("add {}: 16", symbol.name)
                                                  : fmt::format("add {}: [2, 3]", symbol.name));
  }
  auto attrs = contract_.complete(one.attrs);
  if (!attrs.ok()) {
    Error error = std::move(attrs).error();
    return fail(std::move(error).at(one.where));
  }
  const Scope scope = scope_of(contract_, one.symbols, *attrs);
  if (Status status = check_constraints(contract_, scope); !status.ok()) {
    const Error& broken = status.error();
    Error error("OPK-CONTRACT-040",
                "the case violates " + broken.constraint + ": " + broken.message,
                "change the case or the constraint");
    fail(std::move(error).at(one.where).by(broken.constraint));
  }
}

}  // namespace opkit
