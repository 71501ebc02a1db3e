#include "opkit/call/plan/initial_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "opkit/base/tensor.h"

namespace opkit {
namespace {

// Returns the OpDef's row for an output on this chip: its own, else the common one.
const opk_declared_port_v1* declared_output(const opk_declared_v1& declared, const Port& port,
                                            const SocSpec& soc) {
  const opk_declared_port_v1* common = nullptr;
  for (uint32_t i = 0; i < declared.port_count; ++i) {
    const opk_declared_port_v1* row = declared.ports[i];
    if (!row->is_output || (port.name != row->name && port.inplace != row->name)) continue;
    if (row->soc == nullptr) {
      common = row;
    } else if (const auto match = find_soc(row->soc);
               match.ok() && match->spec->short_name == soc.short_name) {
      return row;
    }
  }
  return common;
}

std::optional<double> of_dtype(const opk_declared_port_v1& row, DType dtype) {
  if (!row.has_init_value) return std::nullopt;
  const double* values = init_values_of(row);
  for (uint32_t i = 0; values != nullptr && i < row.column_count; ++i) {
    if (row.dtypes[i] == static_cast<int32_t>(dtype)) return values[i];
  }
  return row.init_value;
}

}  // namespace

Result<std::optional<double>> initial_value(const opk_op_v1& op, const OpContract& contract,
                                            size_t output, size_t column, const SocSpec& soc) {
  if (op.declared == nullptr) return std::optional<double>();
  const Port& port = contract.outputs[output];
  const opk_declared_port_v1* row = declared_output(*op.declared, port, soc);
  const std::optional<double> value = row ? of_dtype(*row, port.dtypes[column]) : std::nullopt;
  if (!value) return std::optional<double>();
  if (!port.inplace.empty()) {
    return contract.error(
        "OPK-RUN-004",
        fmt::format("output '{}' has an InitValue, and the memory of input '{}', whose values it "
                    "would destroy",
                    port.name, port.inplace),
        "remove InitValue, or give the output a name of its own");
  }
  Tensor probe(port.dtypes[column], Shape{2}, port.name);
  probe.set(0, *value);
  if (is_float(port.dtypes[column]) || probe.at(0) == *value) return value;
  return contract.error("OPK-RUN-004",
                        fmt::format("InitValue {} of output '{}' is no {}", *value, port.name,
                                    name_of(port.dtypes[column])),
                        "give InitValue a value of the output's type");
}

const double* init_values_of(const opk_declared_port_v1& port) {
  constexpr uint64_t kNeeded = offsetof(opk_declared_port_v1, init_values) + sizeof(double*);
  return port.struct_size >= kNeeded ? port.init_values : nullptr;
}

void write_value(DType dtype, double value, void* memory, uint64_t bytes) {
  if (value == 0) {
    std::memset(memory, 0, bytes);
    return;
  }
  Tensor two(dtype, Shape{2});  // two, for elements of half a byte
  two.set(0, value);
  two.set(1, value);
  auto* to = static_cast<std::byte*>(memory);
  for (uint64_t done = 0; done < bytes; done += two.size_bytes())
    std::memcpy(to + done, two.data(), std::min<uint64_t>(two.size_bytes(), bytes - done));
}

}  // namespace opkit
