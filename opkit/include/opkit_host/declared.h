// An ops::OpDef as the waist's plain tables, with its columns made explicit.
#ifndef OPKIT_HOST_DECLARED_H_
#define OPKIT_HOST_DECLARED_H_

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "opkit/abi/plugin.h"
#include "register/op_def.h"

namespace opkit_host {

// A dtype and a format per column for every input and output of one SoC (or of all).
class ColumnTable {
 public:
  static constexpr size_t kMaxColumns = 4096;

  struct Port {
    const ops::OpParamDef* def;
    bool is_output;
    std::vector<int32_t> dtypes, formats;
  };

  ColumnTable(const ops::OpParamList& inputs, const ops::OpParamList& outputs) {
    for (const ops::OpParamDef& def : inputs.all()) ports_.push_back({&def, false, {}, {}});
    for (const ops::OpParamDef& def : outputs.all()) ports_.push_back({&def, true, {}, {}});
  }

  // Empty, or the reason why the lists make no columns.
  std::string expand() {
    std::string problem = count_columns();
    for (Port& port : ports_) {
      if (problem.empty()) problem = fill_own(port);
    }
    for (Port& port : ports_) {
      if (problem.empty()) problem = fill_followed(port);
    }
    return problem;
  }

  const std::vector<Port>& ports() const { return ports_; }

 private:
  static bool follows(const ops::OpParamDef& def, ops::FollowType what) {
    return !def.follow().empty() &&
           (def.follow_type() == ops::FollowType::ALL || def.follow_type() == what);
  }

  std::string count_columns() {
    size_t choices = 1;
    for (const Port& port : ports_) {
      const ops::OpParamDef& def = *port.def;
      if (!follows(def, ops::FollowType::DTYPE)) {
        if (def.dtypes().empty()) return "'" + def.name() + "' has no DataType";
        const std::string problem = admit(def, def.dtypes().size(), def.dtype_list(), choices);
        if (!problem.empty()) return problem;
      }
      if (!follows(def, ops::FollowType::FORMAT) && !def.formats().empty()) {
        const std::string problem = admit(def, def.formats().size(), def.format_list(), choices);
        if (!problem.empty()) return problem;
      }
    }
    if (base_ == 0) base_ = 1;
    columns_ = base_ * choices;
    if (columns_ > kMaxColumns) {
      return "the lists make " + std::to_string(columns_) + " combinations, at most " +
             std::to_string(kMaxColumns) + " are accepted";
    }
    return "";
  }

  std::string admit(const ops::OpParamDef& def, size_t size, bool list, size_t& choices) {
    if (list) {
      choices *= size;
      return choices > kMaxColumns ? "the lists of '" + def.name() + "' make too many combinations"
                                   : "";
    }
    if (base_ == 0) {
      base_ = size;
      first_ = def.name();
    }
    if (base_ == size) return "";
    return "'" + def.name() + "' has " + std::to_string(size) + " columns, '" + first_ + "' has " +
           std::to_string(base_);
  }

  // Entries of a column list repeat for every choice; a free list changes once per `stride_`.
  template <typename T>
  void spread(const std::vector<T>& entries, bool list, std::vector<int32_t>& out) {
    const size_t stride = list ? stride_ : 1;
    for (size_t i = 0; i < columns_; ++i) {
      out.push_back(static_cast<int32_t>(entries[i / stride % entries.size()]));
    }
    if (list) stride_ *= entries.size();
  }

  std::string fill_own(Port& port) {
    const ops::OpParamDef& def = *port.def;
    if (stride_ == 0) stride_ = base_;
    if (!follows(def, ops::FollowType::DTYPE)) {
      spread(def.dtypes(), def.dtype_list(), port.dtypes);
      for (int32_t& dtype : port.dtypes) dtype = from_ge_dtype(static_cast<ge::DataType>(dtype));
    }
    if (!follows(def, ops::FollowType::FORMAT)) {
      static const std::vector<ge::Format> kDefault = {ge::FORMAT_ND};
      const bool given = !def.formats().empty();
      spread(given ? def.formats() : kDefault, given && def.format_list(), port.formats);
    }
    return "";
  }

  std::string fill_followed(Port& port) {
    const ops::OpParamDef& def = *port.def;
    if (def.follow().empty()) return "";
    for (const Port& other : ports_) {
      if (other.def->name() != def.follow() || &other == &port) continue;
      if (port.dtypes.empty()) port.dtypes = other.dtypes;
      if (port.formats.empty()) port.formats = other.formats;
      if (port.dtypes.empty() || port.formats.empty()) break;
      return "";
    }
    return "'" + def.name() + "' follows '" + def.follow() + "', which has no columns of its own";
  }

  std::vector<Port> ports_;
  size_t base_ = 0;     // columns of the lists that are columns
  size_t columns_ = 0;  // includes the free choices
  size_t stride_ = 0;
  std::string first_;
};

// Owns the tables of one declaration. Not copied: the tables point into it.
class Declared {
 public:
  explicit Declared(const ops::OpDef& def) {
    add_ports(def.inputs(), def.outputs(), nullptr);
    for (const auto& config : def.ai_core().configs()) add_soc(def, config.first, config.second);
    for (const ops::OpAttrDef& attr : def.attrs()) add_attr(attr);
    finish();
  }
  // A declaration that could not be made at all.
  explicit Declared(const std::string& error) : error_(error) { finish(); }
  Declared(const Declared&) = delete;
  Declared& operator=(const Declared&) = delete;

  const opk_declared_v1* table() const { return &table_; }

 private:
  struct PortRows {
    std::string name, soc;
    std::vector<int32_t> dtypes, formats;
    std::vector<double> init_values;
    opk_declared_port_v1 row;
  };
  struct AttrRows {
    std::string name, text;
    const char* string;
    std::vector<int64_t> ints;
    std::vector<float> floats;
    opk_attr_v1 row;
  };

  void fail(const std::string& problem) {
    if (error_.empty()) error_ = problem;
  }

  void add_soc(const ops::OpDef& def, const std::string& soc, const ops::OpAICoreConfig& config) {
    socs_.push_back(soc);
    if (config.inputs().all().empty() && config.outputs().all().empty()) return;
    ops::OpParamList inputs = def.inputs(), outputs = def.outputs();
    for (const ops::OpParamDef& own : config.inputs().all()) inputs.get(own.name().c_str()) = own;
    for (const ops::OpParamDef& own : config.outputs().all()) outputs.get(own.name().c_str()) = own;
    add_ports(inputs, outputs, &soc);
  }

  void add_ports(const ops::OpParamList& inputs, const ops::OpParamList& outputs,
                 const std::string* soc) {
    ColumnTable columns(inputs, outputs);
    const std::string problem = columns.expand();
    if (!problem.empty()) return fail(soc ? *soc + ": " + problem : problem);
    for (const ColumnTable::Port& port : columns.ports()) add_port(port, soc);
  }

  void add_port(const ColumnTable::Port& port, const std::string* soc) {
    PortRows& rows = ports_.emplace_back();
    rows.name = port.def->name();
    rows.soc = soc ? *soc : "";
    rows.dtypes = port.dtypes;
    rows.formats = port.formats;
    opk_declared_port_v1& row = rows.row;
    row = {};
    row.struct_size = sizeof row;
    row.name = rows.name.c_str();
    row.is_output = port.is_output;
    row.param_type = port.def->param_type() == ops::OPTIONAL  ? 1
                     : port.def->param_type() == ops::DYNAMIC ? 2
                                                              : 0;
    row.column_count = static_cast<uint32_t>(rows.dtypes.size());
    row.dtypes = rows.dtypes.data();
    row.formats = rows.formats.data();
    row.value_depend = port.def->value_depend() != ops::IGNORE;
    rows.init_values = init_values(*port.def, rows.dtypes);
    if (!rows.init_values.empty()) {
      row.has_init_value = 1;
      row.init_value = rows.init_values[0];
      row.init_values = rows.init_values.data();
    }
    row.soc = soc ? rows.soc.c_str() : nullptr;
  }

  // Returns one per column: "for the same data type, the configured type and value must be
  // identical" (page "InitValue").
  std::vector<double> init_values(const ops::OpParamDef& def, const std::vector<int32_t>& columns) {
    const std::vector<double>& given = def.init_values();
    if (given.empty()) return {};
    const std::string who = "the InitValue of '" + def.name() + "'";
    if (def.untyped_init_value() && given[0] != 0)
      fail(who +
           " is a number without a type, which may be 0 only; write {ScalarType::..., value}");
    if (given.size() == 1) return std::vector<double>(columns.size(), given[0]);
    if (given.size() != def.dtypes().size()) {
      fail(who + " has " + std::to_string(given.size()) + " values, its DataType " +
           std::to_string(def.dtypes().size()));
      return {};
    }
    std::map<int32_t, double> by_dtype;
    for (size_t i = 0; i < given.size(); ++i) {
      const auto dtype = static_cast<int32_t>(def.dtypes()[i]);
      if (by_dtype.emplace(dtype, given[i]).first->second != given[i])
        fail(who + " differs for the same data type");
    }
    std::vector<double> all;
    for (const int32_t dtype : columns) all.push_back(by_dtype[dtype]);
    return all;
  }

  void add_attr(const ops::OpAttrDef& def) {
    using Kind = ops::OpAttrDef::Kind;
    if (def.kind() == Kind::kNone) return fail("attribute '" + def.name() + "' has no type");
    if (def.kind() == Kind::kListListInt) {
      return fail("attribute '" + def.name() + "' is a list of lists, which is not supported");
    }
    if (!def.required() && !def.has_default()) {
      return fail("the optional attribute '" + def.name() + "' has no default value");
    }
    AttrRows& rows = attrs_.emplace_back();
    rows.name = def.name();
    rows.text = def.text();
    rows.string = rows.text.c_str();
    rows.ints = def.ints();
    rows.floats = def.floats();
    opk_attr_v1& row = rows.row;
    row = {};
    row.struct_size = sizeof row;
    row.kind = kind_of(def.kind());
    row.name = rows.name.c_str();
    row.ints = rows.ints.data();
    row.floats = rows.floats.data();
    row.strings = &rows.string;
    if (def.required()) return;
    row.count = def.kind() == Kind::kString ? 1 : std::max(rows.ints.size(), rows.floats.size());
  }

  static uint32_t kind_of(ops::OpAttrDef::Kind kind) {
    using Kind = ops::OpAttrDef::Kind;
    switch (kind) {
      case Kind::kBool: return OPK_ATTR_BOOL;
      case Kind::kInt: return OPK_ATTR_INT;
      case Kind::kFloat: return OPK_ATTR_FLOAT;
      case Kind::kString: return OPK_ATTR_STRING;
      case Kind::kListBool: return OPK_ATTR_LIST_BOOL;
      case Kind::kListInt: return OPK_ATTR_LIST_INT;
      default: return OPK_ATTR_LIST_FLOAT;
    }
  }

  void finish() {
    for (const PortRows& rows : ports_) port_rows_.push_back(&rows.row);
    for (const AttrRows& rows : attrs_) attr_rows_.push_back(&rows.row);
    for (const std::string& soc : socs_) soc_names_.push_back(soc.c_str());
    table_.struct_size = sizeof table_;
    table_.port_count = static_cast<uint32_t>(port_rows_.size());
    table_.attr_count = static_cast<uint32_t>(attr_rows_.size());
    table_.soc_count = static_cast<uint32_t>(soc_names_.size());
    table_.ports = port_rows_.data();
    table_.attrs = attr_rows_.data();
    table_.socs = soc_names_.data();
    table_.error = error_.empty() ? nullptr : error_.c_str();
  }

  std::deque<PortRows> ports_;
  std::deque<AttrRows> attrs_;
  std::deque<std::string> socs_;
  std::vector<const opk_declared_port_v1*> port_rows_;
  std::vector<const opk_attr_v1*> attr_rows_;
  std::vector<const char*> soc_names_;
  std::string error_;
  opk_declared_v1 table_{};
};

}  // namespace opkit_host

#endif  // OPKIT_HOST_DECLARED_H_
