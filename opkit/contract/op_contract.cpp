#include "opkit/contract/op_contract.h"
#include "opkit/contract/knobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"

namespace opkit {
namespace {

template <typename T>
const T* find_named(const std::vector<T>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [name](const T& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

std::string cell(DType dtype, const Format* format) {
  const std::string text(dtype == DType::kUndefined ? "absent" : name_of(dtype));
  return format && dtype != DType::kUndefined ? fmt::format("{}/{}", text, name_of(*format)) : text;
}

// In how many inputs a column differs from what is given.
int mismatches(const std::vector<Port>& inputs, size_t column, std::span<const DType> dtypes,
               std::span<const Format> formats) {
  int count = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (dtypes[i] == DType::kUndefined) continue;
    if (inputs[i].dtypes[column] != dtypes[i]) ++count;
    if (!formats.empty() && inputs[i].formats[column] != formats[i]) ++count;
  }
  return count;
}

std::string row_text(const std::vector<Port>& inputs, size_t column, bool formats) {
  std::vector<std::string> cells;
  for (const Port& port : inputs) {
    cells.push_back(fmt::format(
        "{} {}", port.name, cell(port.dtypes[column], formats ? &port.formats[column] : nullptr)));
  }
  return fmt::format("[{}] {}", column, fmt::join(cells, ", "));
}

}  // namespace

OpContract::OpContract() = default;
OpContract::OpContract(const OpContract&) = default;
OpContract::OpContract(OpContract&&) noexcept = default;
OpContract& OpContract::operator=(const OpContract&) = default;
OpContract& OpContract::operator=(OpContract&&) noexcept = default;
OpContract::~OpContract() = default;

const Port* OpContract::input(std::string_view name) const { return find_named(inputs, name); }
const Port* OpContract::output(std::string_view name) const { return find_named(outputs, name); }
const Attr* OpContract::attr(std::string_view name) const { return find_named(attrs, name); }
const Symbol* OpContract::symbol(std::string_view name) const { return find_named(symbols, name); }

const Constraint* OpContract::constraint(std::string_view label) const {
  const auto found = std::find_if(where.begin(), where.end(),
                                  [label](const Constraint& one) { return one.label == label; });
  return found == where.end() ? nullptr : &*found;
}

bool OpContract::has_dynamic_inputs() const {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const Port& port) { return port.presence == Presence::kDynamic; });
}

const Tolerance* OpContract::tolerance_of(size_t column) const {
  const auto found = std::find_if(tolerances.begin(), tolerances.end(),
                                  [column](const Tolerance& one) { return one.columns[column]; });
  return found == tolerances.end() ? nullptr : &*found;
}

std::string OpContract::column_name(size_t column) const {
  std::vector<std::string> parts;
  for (const auto& [name, dtypes] : types)
    parts.push_back(fmt::format("{}={}", name, name_of(dtypes[column])));
  for (const auto& [name, values] : formats)
    parts.push_back(fmt::format("{}={}", name, name_of(values[column])));
  for (const Port& port : inputs) {
    if (port.format_text.starts_with('['))
      parts.push_back(fmt::format("{}={}", port.name, name_of(port.formats[column])));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Error OpContract::error(std::string code, std::string message, std::string action) const {
  return Error(std::move(code), std::move(message), std::move(action)).at(location).of(op);
}

// Columns that fit and differ in nothing but absent inputs are equivalent: the first one is taken.
bool OpContract::same_results(size_t a, size_t b) const {
  return std::all_of(outputs.begin(), outputs.end(), [a, b](const Port& port) {
    return port.dtypes[a] == port.dtypes[b] && port.formats[a] == port.formats[b];
  });
}

Result<size_t> OpContract::column_for(std::span<const DType> dtypes) const {
  return column_for(dtypes, {});
}

Result<size_t> OpContract::column_for(std::span<const DType> dtypes,
                                      std::span<const Format> given_formats) const {
  const bool with_formats = !given_formats.empty();
  if (dtypes.size() != inputs.size() || (with_formats && given_formats.size() != inputs.size()))
    return error("OPK-INFER-001",
                 fmt::format("{} inputs are given, the op has {}", dtypes.size(), inputs.size()),
                 "give every input, absent ones as undefined");
  std::vector<std::pair<int, size_t>> ranked;
  for (size_t column = 0; column < columns_; ++column)
    ranked.emplace_back(mismatches(inputs, column, dtypes, given_formats), column);
  std::sort(ranked.begin(), ranked.end());
  const bool ambiguous =
      std::any_of(ranked.begin() + 1, ranked.end(), [&](const std::pair<int, size_t>& other) {
        return other.first == 0 && !(with_formats && same_results(ranked[0].second, other.second));
      });
  if (ranked[0].first == 0 && !ambiguous) return ranked[0].second;
  std::vector<std::string> cells;
  for (size_t i = 0; i < inputs.size(); ++i)
    cells.push_back(fmt::format("{} {}", inputs[i].name,
                                cell(dtypes[i], with_formats ? &given_formats[i] : nullptr)));
  constexpr size_t kShownRows = 3;
  std::vector<std::string> rows;
  for (const auto& [distance, column] : ranked) {
    if (rows.size() < kShownRows && (!ambiguous || distance == 0))
      rows.push_back(row_text(inputs, column, with_formats || ambiguous));
  }
  const std::string given = fmt::format("{}", fmt::join(cells, ", "));
  const std::string list = fmt::format("{}", fmt::join(rows, "; "));
  if (ambiguous)
    return error("OPK-INFER-003", fmt::format("{} fits several columns: {}", given, list),
                 with_formats ? "give the inputs that decide the column" : "state the formats too");
  return error("OPK-INFER-002",
               fmt::format("no column of {} has {}; nearest: {}", columns_, given, list),
               "use one of the listed combinations");
}

Result<AttrValues> OpContract::complete(const AttrValues& given) const {
  std::vector<std::string> names;
  for (const Attr& one : attrs) names.push_back(one.name);
  AttrValues values = split_knobs(given).attrs;  // plans judge knobs
  for (const auto& [name, value] : values) {
    if (!attr(name))
      return error("OPK-ATTR-005", fmt::format("there is no attribute '{}'", name),
                   names.empty() ? "remove it: the op has no attributes" : suggest(name, names));
  }
  for (const Attr& one : attrs) {
    const auto found = values.find(one.name);
    if (found == values.end() && one.required())
      return error("OPK-ATTR-006", fmt::format("attribute {} is required", one.name),
                   fmt::format("give it as {}", name_of(one.type)))
          .at(one.where);
    if (found == values.end()) {
      values.emplace(one.name, *one.default_value);
    } else if (Status status = one.check(found->second); !status.ok()) {
      return std::move(status).error().at(one.where).of(op);
    }
  }
  return values;
}

}  // namespace opkit
