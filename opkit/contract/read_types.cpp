// Dtype and format columns.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"
#include "opkit/contract/names.h"
#include "opkit/contract/reader.h"

namespace opkit {
namespace {

constexpr size_t kMaxColumns = 256;

std::vector<std::string> known_dtypes() {
  std::vector<std::string> names;
  for (DType dtype : all_dtypes()) names.emplace_back(name_of(dtype));
  return names;
}

std::vector<std::string> known_formats() {
  std::vector<std::string> names;
  for (Format format : all_formats()) names.emplace_back(name_of(format));
  return names;
}

template <typename Map>
void append_keys(const Map& map, std::vector<std::string>& names) {
  for (const auto& [name, column] : map) names.push_back(name);
}

}  // namespace

bool ContractReader::set_column_count(size_t count, const Location& where,
                                      const std::string& what) {
  if (count == 0 || count > kMaxColumns) {
    fail(where, "OPK-CONTRACT-009",
         fmt::format("{} has {} columns; 1 to {} are possible", what, count, kMaxColumns),
         "list at least one combination");
    return false;
  }
  if (columns_known_ && count != contract_.columns_) {
    fail(where, "OPK-CONTRACT-009",
         fmt::format("{} has {} columns, others have {}", what, count, contract_.columns_),
         "lists of types and formats are columns: make them equally long");
    return false;
  }
  columns_known_ = true;
  contract_.columns_ = count;
  return true;
}

void ContractReader::read_types(const Value& value) {
  if (!value.is_map()) {
    return fail(value.where, "OPK-CONTRACT-001", "types must be a map of dtype variables",
                "write e.g. {T: [float16, float32]}");
  }
  for (const Value::Entry& entry : value.entries) read_type_list(entry);
}

void ContractReader::read_type_list(const Value::Entry& entry) {
  if (!is_identifier(entry.key) || dtype_from_name(entry.key)) {
    return fail(entry.where, "OPK-CONTRACT-004",
                fmt::format("'{}' cannot name a dtype variable", entry.key),
                "use a name that is no dtype, e.g. T");
  }
  if (!entry.value.is_list()) {
    return fail(entry.value.where, "OPK-CONTRACT-007",
                fmt::format("types.{} must be a list of dtypes", entry.key),
                "write e.g. [float16, float32]");
  }
  std::vector<DType> column;
  for (const Value& item : entry.value.items) {
    std::string text;
    if (!accept(item.as_string("types." + entry.key), text)) return;
    const auto dtype = dtype_from_name(text);
    if (!dtype) {
      return fail(item.where, "OPK-CONTRACT-007", fmt::format("'{}' is no dtype", text),
                  suggest(text, known_dtypes()));
    }
    column.push_back(*dtype);
  }
  if (set_column_count(column.size(), entry.where, "types." + entry.key))
    contract_.types[entry.key] = std::move(column);
}

void ContractReader::read_columns(const Value& value) {
  if (!value.is_list() || !contract_.types.empty()) {
    return fail(
        value.where, "OPK-CONTRACT-010",
        value.is_list() ? "columns and types exclude each other" : "columns must be a list of maps",
        "write e.g. - {T: float16, F: ND}");
  }
  if (!set_column_count(value.items.size(), value.where, "columns")) return;
  for (size_t row = 0; row < value.items.size(); ++row) {
    const Value& map = value.items[row];
    if (!map.is_map() || map.entries.size() != value.items[0].entries.size()) {
      return fail(map.where, "OPK-CONTRACT-010",
                  fmt::format("column {} does not list the same variables as column 0", row),
                  "give every variable a value in every column");
    }
    for (const Value::Entry& entry : map.entries) {
      if (!read_column_entry(entry, row)) return;
    }
  }
}

bool ContractReader::read_column_entry(const Value::Entry& entry, size_t row) {
  std::string text;
  if (!accept(entry.value.as_string("columns." + entry.key), text)) return false;
  const auto dtype = dtype_from_name(text);
  const auto format = format_from_name(text);
  const bool named =
      is_identifier(entry.key) && !dtype_from_name(entry.key) && !format_from_name(entry.key);
  if (!named || (!dtype && !format)) {
    fail(named ? entry.value.where : entry.where, named ? "OPK-CONTRACT-007" : "OPK-CONTRACT-004",
         named ? fmt::format("'{}' is no dtype and no format", text)
               : fmt::format("'{}' cannot name a variable", entry.key),
         named ? suggest(text, known_dtypes()) : "use a name that is no dtype and no format");
    return false;
  }
  if (dtype) contract_.types[entry.key].push_back(*dtype);
  if (format) contract_.formats[entry.key].push_back(*format);
  const size_t filled =
      dtype ? contract_.types[entry.key].size() : contract_.formats[entry.key].size();
  const bool both = contract_.types.count(entry.key) && contract_.formats.count(entry.key);
  if (filled == row + 1 && !both) return true;
  fail(entry.where, "OPK-CONTRACT-010",
       fmt::format("variable {} is not in every column as the same kind", entry.key),
       "give every variable a dtype, or a format, in every column");
  return false;
}

void ContractReader::resolve_columns() {
  for (const auto& [name, value] : port_formats_) {
    if (value && value->is_list())
      set_column_count(value->items.size(), value->where, name + ".format");
  }
  size_t index = 0;
  for (std::vector<Port>* ports : {&contract_.inputs, &contract_.outputs}) {
    for (Port& port : *ports) {
      resolve_dtype(port);
      resolve_format(port, port_formats_[index++].second);
    }
  }
  if (failed_) return;
  check_elements();
  check_variable_use();
  check_column_rows();
  check_inplace_formats();
}

// Only of integers there are enough that differ, in every column.
void ContractReader::check_elements() {
  for (const Port& port : contract_.inputs) {
    const bool real = std::any_of(port.dtypes.begin(), port.dtypes.end(),
                                  [](DType dtype) { return is_float(dtype); });
    if (!real || port.elements == Elements::kAny || port.elements == Elements::kSorted) continue;
    fail(port.where, "OPK-CONTRACT-044",
         fmt::format("the elements of {} are floating numbers and cannot be {}", port.name,
                     name_of(port.elements)),
         "use elements: sorted, or an integer dtype");
  }
}

void ContractReader::check_inplace_formats() {
  for (const Port& port : contract_.outputs) {
    const Port* input = port.inplace.empty() ? nullptr : contract_.input(port.inplace);
    if (!input || input->formats == port.formats) continue;
    fail(port.where, "OPK-CONTRACT-013",
         fmt::format("output {} is in place of {} but has another format", port.name, input->name),
         "give both the same format");
  }
}

void ContractReader::resolve_dtype(Port& port) {
  if (port.dtype_text.empty()) return;  // already reported
  if (const auto found = contract_.types.find(port.dtype_text); found != contract_.types.end()) {
    port.dtypes = found->second;
    return;
  }
  if (const auto dtype = dtype_from_name(port.dtype_text)) {
    port.dtypes.assign(contract_.columns_, *dtype);
    return;
  }
  if (types_broken_) return;
  std::vector<std::string> names;
  append_keys(contract_.types, names);
  const auto known = known_dtypes();
  names.insert(names.end(), known.begin(), known.end());
  fail(port.where, "OPK-CONTRACT-007",
       fmt::format("'{}', the dtype of {}, is no dtype and no variable under 'types'",
                   port.dtype_text, port.name),
       suggest(port.dtype_text, names));
}

void ContractReader::resolve_format(Port& port, const Value* value) {
  port.format_text = "ND";
  port.formats.assign(contract_.columns_, Format::kND);
  if (!value) return;
  std::vector<std::string> texts;
  if (value->is_list()) {
    for (const Value& item : value->items) {
      std::string text;
      if (!accept(item.as_string(port.name + ".format"), text)) return;
      texts.push_back(std::move(text));
    }
    port.format_text = fmt::format("[{}]", fmt::join(texts, ", "));
  } else {
    std::string text;
    if (!accept(value->as_string(port.name + ".format"), text)) return;
    port.format_text = text;
    if (const auto found = contract_.formats.find(text); found != contract_.formats.end()) {
      port.formats = found->second;
      return;
    }
    texts.assign(contract_.columns_, text);
  }
  for (size_t i = 0; i < texts.size() && i < port.formats.size(); ++i) {
    const auto format = format_from_name(texts[i]);
    if (!format) {
      std::vector<std::string> names = known_formats();
      append_keys(contract_.formats, names);
      return fail(value->where, "OPK-CONTRACT-008", fmt::format("'{}' is no format", texts[i]),
                  suggest(texts[i], names));
    }
    port.formats[i] = *format;
  }
}

void ContractReader::check_variable_use() {
  std::set<std::string> used;
  for (const std::vector<Port>* ports : {&contract_.inputs, &contract_.outputs}) {
    for (const Port& port : *ports) used.insert({port.dtype_text, port.format_text});
  }
  std::vector<std::string> names;
  append_keys(contract_.types, names);
  append_keys(contract_.formats, names);
  for (const std::string& name : names) {
    if (used.count(name)) continue;
    fail(contract_.location, "OPK-CONTRACT-012",
         fmt::format("no input or output uses the variable {}", name), "remove it, or use it");
  }
}

// Inputs decide the column, so no two columns may agree in all inputs.
void ContractReader::check_column_rows() {
  for (size_t a = 0; a < contract_.columns_; ++a) {
    for (size_t b = a + 1; b < contract_.columns_; ++b) {
      const bool same =
          std::all_of(contract_.inputs.begin(), contract_.inputs.end(), [a, b](const Port& port) {
            return port.dtypes[a] == port.dtypes[b] && port.formats[a] == port.formats[b];
          });
      if (!same) continue;
      return fail(contract_.location, "OPK-CONTRACT-011",
                  fmt::format("columns {} and {} have the same input types and formats", a, b),
                  "remove one of them: the inputs decide the column");
    }
  }
}

}  // namespace opkit
