#include "opkit/isolation/op_tables.h"
#include "opkit/isolation/finish.h"

#include <cstdlib>
#include <deque>

#include "opkit/call/plan/initial_value.h"

namespace opkit::wire {

template <typename A>
void fields(A& a, isolation::KernelRow& v) {
  a(v.column, v.tiling_key, v.name, v.task_type, v.arg_count, v.aic, v.aiv, v.mix);
}
template <typename A>
void fields(A& a, isolation::AttrRow& v) {
  a(v.kind, v.name, v.count, v.ints, v.floats, v.strings);
}
template <typename A>
void fields(A& a, isolation::PortRow& v) {
  a(v.name, v.is_output, v.param_type, v.dtypes, v.formats, v.value_depend, v.has_init_value,
    v.has_soc, v.soc, v.init_value, v.init_values);
}
template <typename A>
void fields(A& a, isolation::DeclaredRow& v) {
  a(v.ports, v.attrs, v.socs, v.has_error, v.error);
}
template <typename A>
void fields(A& a, isolation::TilingFieldRow& v) {
  a(v.dtype, v.name, v.offset, v.count, v.tiling_key);
}
template <typename A>
void fields(A& a, isolation::OpRows& v) {
  a(v.abi, v.sanitizer, v.name, v.version, v.type, v.contract, v.infers_shape, v.infers_dtype,
    v.tiles, v.kernels, v.declared, v.tiling_fields);
}

}  // namespace opkit::wire

namespace opkit::isolation {
namespace {

std::string text_of(const char* text) { return text ? text : ""; }

bool is_string(uint32_t kind) { return kind == OPK_ATTR_STRING || kind == OPK_ATTR_LIST_STRING; }
bool is_float(uint32_t kind) { return kind == OPK_ATTR_FLOAT || kind == OPK_ATTR_LIST_FLOAT; }

AttrRow row_of(const opk_attr_v1& attr) {
  AttrRow row{attr.kind, text_of(attr.name), attr.count, {}, {}, {}};
  for (uint64_t i = 0; i < attr.count; ++i) {
    if (is_string(attr.kind)) {
      row.strings.push_back(text_of(attr.strings[i]));
    } else if (is_float(attr.kind)) {
      row.floats.push_back(attr.floats[i]);
    } else {
      row.ints.push_back(attr.ints[i]);
    }
  }
  return row;
}

PortRow row_of(const opk_declared_port_v1& port) {
  PortRow row;
  row.name = text_of(port.name);
  row.is_output = port.is_output;
  row.param_type = port.param_type;
  row.dtypes.assign(port.dtypes, port.dtypes + (port.dtypes ? port.column_count : 0));
  row.formats.assign(port.formats, port.formats + (port.formats ? port.column_count : 0));
  row.value_depend = port.value_depend;
  row.has_init_value = port.has_init_value;
  row.has_soc = port.soc != nullptr;
  row.soc = text_of(port.soc);
  row.init_value = port.init_value;
  if (const double* values = init_values_of(port))
    row.init_values.assign(values, values + port.column_count);
  return row;
}

DeclaredRow row_of(const opk_declared_v1& declared) {
  DeclaredRow row;
  for (uint32_t i = 0; i < declared.port_count; ++i)
    row.ports.push_back(row_of(*declared.ports[i]));
  for (uint32_t i = 0; i < declared.attr_count; ++i)
    row.attrs.push_back(row_of(*declared.attrs[i]));
  for (uint32_t i = 0; i < declared.soc_count; ++i) row.socs.push_back(text_of(declared.socs[i]));
  row.has_error = declared.error != nullptr;
  row.error = text_of(declared.error);
  return row;
}

// Lists must be as long as they say, or whoever follows the tables reads beyond them.
bool consistent(const OpRows& rows) {
  if (!rows.declared) return true;
  for (const PortRow& port : rows.declared->ports) {
    const size_t columns = port.dtypes.size();
    if (columns != port.formats.size()) return false;
    if (!port.init_values.empty() && port.init_values.size() != columns) return false;
  }
  for (const AttrRow& attr : rows.declared->attrs) {
    const size_t held = is_string(attr.kind)  ? attr.strings.size()
                        : is_float(attr.kind) ? attr.floats.size()
                                              : attr.ints.size();
    if (attr.kind > OPK_ATTR_LIST_STRING || held != attr.count) return false;
  }
  return true;
}

// Entries of kernels that lie in another process.
void not_here(opk_core*, void* const*) { std::abort(); }

}  // namespace

OpRows rows_of(const opk_plugin_v1& header, const opk_op_v1& op) {
  OpRows rows;
  rows.abi = header.abi;
  rows.sanitizer = header.sanitizer;
  rows.name = text_of(header.name);
  rows.version = text_of(header.version);
  rows.type = text_of(op.type);
  rows.contract.assign(op.contract, op.contract_size);
  rows.infers_shape = op.infer_shape != nullptr;
  rows.infers_dtype = op.infer_dtype != nullptr;
  rows.tiles = op.tile != nullptr;
  for (uint32_t i = 0; i < op.kernel_count; ++i) {
    const opk_kernel_v1& kernel = *op.kernels[i];
    const bool mix = kernel.struct_size >= sizeof kernel && kernel.mix != nullptr;
    rows.kernels.push_back({kernel.column, kernel.tiling_key, text_of(kernel.name),
                            kernel.task_type, kernel.arg_count, kernel.aic != nullptr,
                            kernel.aiv != nullptr, mix});
  }
  if (op.declared) rows.declared = row_of(*op.declared);
  const bool has_fields = op.struct_size >= sizeof op;
  for (uint32_t i = 0; has_fields && i < op.tiling_field_count; ++i) {
    const opk_tiling_field_v1& field = *op.tiling_fields[i];
    rows.tiling_fields.push_back(
        {field.dtype, text_of(field.name), field.offset, field.count, field.tiling_key});
  }
  return rows;
}

std::string to_bytes(const OpRows& rows) { return wire::written(rows); }

Result<OpRows> read_rows(std::string_view bytes) {
  wire::Reader reader(bytes);
  OpRows rows;
  reader(rows);
  if (!consistent(rows)) reader.refuse("a list of the declaration has another length");
  OPKIT_CHECK(finish(reader, "the worker's table of the op"));
  return rows;
}

struct OpTables::State {
  OpRows rows;
  std::vector<opk_kernel_v1> kernels;
  std::vector<const opk_kernel_v1*> kernel_rows;
  std::vector<opk_declared_port_v1> ports;
  std::vector<const opk_declared_port_v1*> port_rows;
  std::vector<opk_attr_v1> attrs;
  std::vector<const opk_attr_v1*> attr_rows;
  std::deque<std::vector<const char*>> strings;
  std::vector<const char*> socs;
  std::vector<opk_tiling_field_v1> tiling_fields;
  std::vector<const opk_tiling_field_v1*> tiling_field_rows;
  opk_declared_v1 declared{};
  opk_op_v1 op{};
  opk_plugin_v1 header{};

  void add_kernels();
  void add_declared();
  void add_tiling_fields();
};

void OpTables::State::add_kernels() {
  for (const KernelRow& row : rows.kernels) {
    opk_kernel_v1 kernel{};
    kernel.struct_size = sizeof kernel;
    kernel.column = row.column;
    kernel.tiling_key = row.tiling_key;
    kernel.name = row.name.c_str();
    kernel.task_type = row.task_type;
    kernel.arg_count = row.arg_count;
    kernel.aic = row.aic ? not_here : nullptr;
    kernel.aiv = row.aiv ? not_here : nullptr;
    kernel.mix = row.mix ? not_here : nullptr;
    kernels.push_back(kernel);
  }
  for (const opk_kernel_v1& kernel : kernels) kernel_rows.push_back(&kernel);
}

void OpTables::State::add_declared() {
  for (const PortRow& row : rows.declared->ports) {
    ports.push_back({sizeof(opk_declared_port_v1), row.name.c_str(), row.is_output, row.param_type,
                     static_cast<uint32_t>(row.dtypes.size()), row.dtypes.data(),
                     row.formats.data(), row.value_depend, row.has_init_value,
                     row.has_soc ? row.soc.c_str() : nullptr, row.init_value,
                     row.init_values.empty() ? nullptr : row.init_values.data()});
  }
  for (const AttrRow& row : rows.declared->attrs) {
    std::vector<const char*>& texts = strings.emplace_back();
    for (const std::string& text : row.strings) texts.push_back(text.c_str());
    attrs.push_back({sizeof(opk_attr_v1), row.kind, row.name.c_str(), row.count, row.ints.data(),
                     row.floats.data(), texts.data()});
  }
  for (const auto& port : ports) port_rows.push_back(&port);
  for (const auto& attr : attrs) attr_rows.push_back(&attr);
  for (const std::string& soc : rows.declared->socs) socs.push_back(soc.c_str());
  declared = {sizeof declared,
              static_cast<uint32_t>(ports.size()),
              static_cast<uint32_t>(attrs.size()),
              static_cast<uint32_t>(socs.size()),
              port_rows.data(),
              attr_rows.data(),
              socs.data(),
              rows.declared->has_error ? rows.declared->error.c_str() : nullptr};
}

void OpTables::State::add_tiling_fields() {
  for (const TilingFieldRow& row : rows.tiling_fields)
    tiling_fields.push_back({sizeof(opk_tiling_field_v1), row.dtype, row.name.c_str(), row.offset,
                             row.count, row.tiling_key});
  for (const opk_tiling_field_v1& field : tiling_fields) tiling_field_rows.push_back(&field);
}

OpTables::OpTables(OpRows rows, const Functions& functions) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.rows = std::move(rows);
  s.add_kernels();
  s.add_tiling_fields();
  if (s.rows.declared) s.add_declared();
  s.op = {sizeof s.op,
          s.rows.type.c_str(),
          s.rows.contract.data(),
          s.rows.contract.size(),
          s.rows.infers_shape ? functions.infer_shape : nullptr,
          s.rows.infers_dtype ? functions.infer_dtype : nullptr,
          s.rows.tiles ? functions.tile : nullptr,
          static_cast<uint32_t>(s.kernels.size()),
          s.kernel_rows.data(),
          s.rows.declared ? &s.declared : nullptr,
          static_cast<uint32_t>(s.tiling_fields.size()),
          s.tiling_field_rows.data()};
  s.header = {sizeof s.header,        s.rows.abi,       s.rows.name.c_str(),
              s.rows.version.c_str(), s.rows.sanitizer, nullptr};
}

OpTables::~OpTables() = default;
const opk_plugin_v1& OpTables::header() const { return state_->header; }
const opk_op_v1& OpTables::op() const { return state_->op; }

}  // namespace opkit::isolation
