// OpTables: a plugin's tables as values of this process, so that nothing that reads them looks into
// the plugin's memory. Functions are there or not; what stands for them is the owner's affair.
#ifndef OPKIT_ISOLATION_OP_TABLES_H_
#define OPKIT_ISOLATION_OP_TABLES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "opkit/abi/plugin.h"
#include "opkit/base/status.h"
#include "opkit/base/wire.h"

namespace opkit::isolation {

struct KernelRow {
  uint32_t column = 0;
  uint64_t tiling_key = 0;
  std::string name;
  int32_t task_type = 0;
  uint32_t arg_count = 0;
  bool aic = false, aiv = false, mix = false;
};

struct AttrRow {
  uint32_t kind = 0;
  std::string name;
  uint64_t count = 0;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::vector<std::string> strings;
};

struct PortRow {
  std::string name;
  int32_t is_output = 0, param_type = 0;
  std::vector<int32_t> dtypes, formats;
  int32_t value_depend = 0;
  uint32_t has_init_value = 0;
  bool has_soc = false;
  std::string soc;
  double init_value = 0;
  std::vector<double> init_values;
};

struct TilingFieldRow {
  int32_t dtype = 0;
  std::string name;
  uint64_t offset = 0, count = 0, tiling_key = 0;
};

struct DeclaredRow {
  std::vector<PortRow> ports;
  std::vector<AttrRow> attrs;
  std::vector<std::string> socs;
  bool has_error = false;
  std::string error;
};

struct OpRows {
  uint32_t abi = 0, sanitizer = 0;
  std::string name, version;
  std::string type, contract;
  bool infers_shape = false, infers_dtype = false, tiles = false;
  std::vector<KernelRow> kernels;
  std::optional<DeclaredRow> declared;
  std::vector<TilingFieldRow> tiling_fields;
};

// REQUIRES: registry::read_tables accepted them.
OpRows rows_of(const opk_plugin_v1& header, const opk_op_v1& op);
// Error: OPK-WORKER-006.
Result<OpRows> read_rows(std::string_view bytes);
std::string to_bytes(const OpRows& rows);

// The rows in the form of the waist.
class OpTables {
 public:
  // What stands for the functions of a plugin that has them.
  struct Functions {
    int32_t (*infer_shape)(const opk_call_v1*, opk_inferred_v1* const*) = nullptr;
    int32_t (*infer_dtype)(const opk_call_v1*, opk_inferred_v1* const*) = nullptr;
    int32_t (*tile)(const opk_call_v1*, opk_tiling_v1*) = nullptr;
  };
  OpTables(OpRows rows, const Functions& functions);
  ~OpTables();
  OpTables(const OpTables&) = delete;
  OpTables& operator=(const OpTables&) = delete;

  // Valid as long as this. Kernels' entries tell only whether they are there.
  const opk_plugin_v1& header() const;
  const opk_op_v1& op() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_OP_TABLES_H_
