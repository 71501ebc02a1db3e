#include "opkit/call/declared/declaration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "opkit/base/format.h"
#include "opkit/contract/names.h"
#include "opkit/soc/soc_spec.h"

namespace opkit {
namespace {

constexpr const char* kAction = "change the OpDef or the contract, so that both say the same";

// One combination: dtype and format numbers of every port, inputs first.
using Column = std::vector<std::pair<int32_t, int32_t>>;

class Comparison {
 public:
  Comparison(const opk_declared_v1& declared, const OpContract& contract)
      : declared_(declared), contract_(contract) {
    for (const Port& port : contract.inputs) ports_.push_back(&port);
    for (const Port& port : contract.outputs) ports_.push_back(&port);
  }

  Errors run() {
    if (declared_.error) {
      add("OPK-DECL-001", contract_.location,
          fmt::format("the OpDef is not usable: {}", declared_.error));
      return std::move(errors_);
    }
    if (compare_ports()) compare_columns();
    compare_attrs();
    compare_socs();
    return std::move(errors_);
  }

 private:
  void add(const char* code, const Location& where, std::string message) {
    errors_.push_back(Error(code, std::move(message), kAction).at(where).of(contract_.op));
  }

  // Returns the rows for one SoC ("" = the common ones), in the order of the OpDef.
  std::vector<const opk_declared_port_v1*> rows_of(const std::string& soc) const {
    std::vector<const opk_declared_port_v1*> rows;
    for (uint32_t i = 0; i < declared_.port_count; ++i) {
      const opk_declared_port_v1* row = declared_.ports[i];
      if ((row->soc ? row->soc : "") == soc) rows.push_back(row);
    }
    // Inputs first, as in the contract; each side keeps its order.
    std::stable_partition(rows.begin(), rows.end(),
                          [](const auto* row) { return !row->is_output; });
    return rows;
  }

  // Tells whether names and order agree, so that columns can be compared.
  bool compare_ports() {
    const auto rows = rows_of("");
    const auto name_at = [&](size_t i) { return i < rows.size() ? rows[i]->name : "(nothing)"; };
    for (size_t i = 0; i < std::max(rows.size(), ports_.size()); ++i) {
      if (i >= ports_.size()) {
        add("OPK-DECL-002", contract_.location,
            fmt::format("the OpDef has '{}', the contract does not", rows[i]->name));
        return false;
      }
      const Port& port = *ports_[i];
      // An in-place output has the input's name in an OpDef.
      const bool same = port.name == name_at(i) ||
                        (i < rows.size() && !port.inplace.empty() && port.inplace == name_at(i));
      if (!same || port.is_output != (rows[i]->is_output != 0)) {
        add("OPK-DECL-002", port.where,
            fmt::format("{} {} is '{}' in the contract and '{}' in the OpDef",
                        port.is_output ? "output" : "input", i + 1, port.name, name_at(i)));
        return false;
      }
      compare_kind(port, *rows[i]);
    }
    return true;
  }

  void compare_kind(const Port& port, const opk_declared_port_v1& row) {
    static constexpr const char* kNames[] = {"REQUIRED", "OPTIONAL", "DYNAMIC"};
    const int32_t expected = static_cast<int32_t>(port.presence);
    if (row.param_type != expected) {
      add("OPK-DECL-002", port.where,
          fmt::format("'{}' is {} in the contract and ParamType({}) in the OpDef", port.name,
                      name_of(port.presence),
                      row.param_type >= 0 && row.param_type < 3 ? kNames[row.param_type] : "?"));
    }
    if (!port.is_output && (row.value_depend != 0) != port.value_depend) {
      add("OPK-DECL-002", port.where,
          fmt::format("the OpDef {} ValueDepend for '{}', the contract says value_depend: {}",
                      row.value_depend ? "sets" : "does not set", port.name, port.value_depend));
    }
  }

  std::set<Column> declared_columns() const {
    std::set<std::string> socs = {""};
    for (uint32_t i = 0; i < declared_.soc_count; ++i) socs.insert(declared_.socs[i]);
    std::set<Column> columns;
    for (const std::string& soc : socs) {
      const auto rows = rows_of(soc);
      if (rows.size() != ports_.size()) continue;  // nothing of its own
      for (uint32_t i = 0; i < rows[0]->column_count; ++i) {
        Column column;
        for (const auto* row : rows) column.emplace_back(row->dtypes[i], row->formats[i]);
        columns.insert(std::move(column));
      }
    }
    return columns;
  }

  std::set<Column> contract_columns() const {
    std::set<Column> columns;
    for (size_t i = 0; i < contract_.column_count(); ++i) {
      Column column;
      for (const Port* port : ports_) {
        column.emplace_back(static_cast<int32_t>(port->dtypes[i]),
                            static_cast<int32_t>(port->formats[i]));
      }
      columns.insert(column);
    }
    return columns;
  }

  std::string text_of(const Column& column) const {
    std::string text;
    for (size_t i = 0; i < column.size(); ++i) {
      text += fmt::format("{}{} {} {}", i ? ", " : "", ports_[i]->name,
                          name_of(static_cast<DType>(column[i].first)),
                          name_of(static_cast<Format>(column[i].second)));
    }
    return text;
  }

  // Tells whether the contract could list the OpDef's combination beside `ours`: opkit has its
  // types and formats, and no listed combination has the same inputs.
  bool could_be_ours(const Column& column, const std::set<Column>& ours) const {
    for (const auto& [dtype, format] : column) {
      if (bits_of(static_cast<DType>(dtype)) == 0) return false;
      if (!format_from_name(name_of(static_cast<Format>(format)))) return false;
    }
    const size_t inputs = contract_.inputs.size();
    return std::none_of(ours.begin(), ours.end(), [&](const Column& other) {
      return std::equal(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(inputs),
                        column.begin());
    });
  }

  void compare_columns() {
    if (ports_.empty()) return;
    const std::set<Column> theirs = declared_columns(), ours = contract_columns();
    for (const Column& column : ours) {
      if (theirs.contains(column)) continue;
      add("OPK-DECL-003", contract_.location,
          fmt::format("the contract has the combination ({}), the OpDef has not", text_of(column)));
    }
    for (const Column& column : theirs) {
      if (ours.contains(column) || !could_be_ours(column, ours)) continue;
      add("OPK-DECL-003", contract_.location,
          fmt::format("the OpDef has the combination ({}), the contract has not", text_of(column)));
    }
  }

  void compare_attrs() {
    const size_t count = declared_.attr_count;
    for (size_t i = 0; i < std::max(count, contract_.attrs.size()); ++i) {
      if (i >= contract_.attrs.size()) {
        add("OPK-DECL-004", contract_.location,
            fmt::format("the OpDef has the attribute '{}', the contract has not",
                        declared_.attrs[i]->name));
      } else if (i >= count || contract_.attrs[i].name != declared_.attrs[i]->name) {
        add("OPK-DECL-004", contract_.attrs[i].where,
            fmt::format("attribute {} is '{}' in the contract and '{}' in the OpDef", i + 1,
                        contract_.attrs[i].name,
                        i < count ? declared_.attrs[i]->name : "(nothing)"));
        return;
      } else {
        compare_attr(contract_.attrs[i], *declared_.attrs[i]);
      }
    }
  }

  void compare_attr(const Attr& attr, const opk_attr_v1& row) {
    const auto differ = [&](std::string ours, std::string theirs) {
      add("OPK-DECL-004", attr.where,
          fmt::format("attribute '{}' is {} in the contract and {} in the OpDef", attr.name, ours,
                      theirs));
    };
    if (static_cast<uint32_t>(attr.type) != row.kind) {
      return differ(
          std::string(name_of(attr.type)),
          row.kind < 8 ? std::string(name_of(static_cast<AttrType>(row.kind))) : "unknown");
    }
    const bool empty_list = is_list(attr.type) && attr.default_value && row.count == 0;
    if (attr.required() != (row.count == 0) && !empty_list) {
      return differ(attr.required() ? "required" : "optional",
                    row.count == 0 ? "REQUIRED" : "OPTIONAL");
    }
    if (attr.default_value && !same(*attr.default_value, row)) {
      differ("by default " + to_string(*attr.default_value), "another value");
    }
  }

  // Floats are compared as the single precision that crosses the waist.
  static bool same(const AttrValue& value, const opk_attr_v1& row) {
    const auto ints_are = [&](const auto& list) {
      return row.count == list.size() && std::equal(list.begin(), list.end(), row.ints,
                                                    [](int64_t a, int64_t b) { return a == b; });
    };
    switch (value.index()) {
      case OPK_ATTR_BOOL: return row.ints[0] == static_cast<int64_t>(std::get<0>(value));
      case OPK_ATTR_INT: return row.ints[0] == std::get<1>(value);
      case OPK_ATTR_FLOAT: return row.floats[0] == static_cast<float>(std::get<2>(value));
      case OPK_ATTR_STRING: return row.strings[0] == std::get<3>(value);
      case OPK_ATTR_LIST_BOOL: return ints_are(std::get<4>(value));
      case OPK_ATTR_LIST_INT: return ints_are(std::get<5>(value));
      case OPK_ATTR_LIST_FLOAT: {
        const auto& list = std::get<6>(value);
        return row.count == list.size() &&
               std::equal(list.begin(), list.end(), row.floats,
                          [](double a, float b) { return static_cast<float>(a) == b; });
      }
      default: return false;  // the OpDef has no list of strings
    }
  }

  // Lower case; a full name becomes its family's.
  static std::string family_of(const std::string& name) {
    const auto match = find_soc(name);
    std::string text = match.ok() ? match->spec->short_name : name;
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  }

  // Chips that opkit does not know cannot stand in a contract. soc: in lower case.
  static bool can_be_listed(const std::string& soc) {
    const auto& names = known_soc_names();
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return family_of(name) == family_of(soc); });
  }

  void compare_socs() {
    if (contract_.soc.empty()) return;  // the contract does not restrict them
    std::set<std::string> ours, theirs;
    for (const std::string& soc : contract_.soc) ours.insert(family_of(soc));
    for (uint32_t i = 0; i < declared_.soc_count; ++i) theirs.insert(family_of(declared_.socs[i]));
    for (const std::string& soc : ours) {
      if (theirs.contains(soc)) continue;
      add("OPK-DECL-005", contract_.location,
          fmt::format("the contract lists {}, the OpDef has no AddConfig for it", soc));
    }
    for (const std::string& soc : theirs) {
      if (ours.contains(soc) || !can_be_listed(soc)) continue;
      add("OPK-DECL-005", contract_.location,
          fmt::format("the OpDef has AddConfig(\"{}\"), the contract does not list it", soc));
    }
  }

  const opk_declared_v1& declared_;
  const OpContract& contract_;
  std::vector<const Port*> ports_;
  Errors errors_;
};

}  // namespace

Errors check_declaration(const opk_declared_v1& declared, const OpContract& contract) {
  return Comparison(declared, contract).run();
}

}  // namespace opkit
