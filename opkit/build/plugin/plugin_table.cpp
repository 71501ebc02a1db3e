#include "opkit/include/opkit_host/plugin_table.h"

#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <vector>

#include "opkit/include/opkit_host/cpu_kernel.h"
#include "opkit/include/opkit_host/declared.h"
#include "opkit/include/opkit_host/tiling_rows.h"
#include "opkit/include/opkit_host/trampoline.h"

namespace opkit_host {
namespace {

// The tables behind opkit_plugin_query. Made once, when the plugin is first asked.
class PluginTable {
 public:
  PluginTable(const OpEntry* entries, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) add(entries[i]);
    for (const opk_op_v1& op : ops_) op_rows_.push_back(&op);
    table_.struct_size = sizeof table_;
    table_.count = count;
    table_.ops = op_rows_.data();
  }
  PluginTable(const PluginTable&) = delete;
  PluginTable& operator=(const PluginTable&) = delete;

  const opk_ops_v1* table() const { return &table_; }

 private:
  void add(const OpEntry& entry) {
    opk_op_v1& op = ops_.emplace_back();
    op = {};
    op.struct_size = sizeof op;
    op.type = entry.type;
    op.contract = entry.contract;
    op.contract_size = entry.contract_size;
    op.kernels = entry.kernels;
    op.kernel_count = entry.kernel_count;
    op.declared = declare(entry.type);
    const TilingRows& fields = tiling_rows_.emplace_back(entry.type);
    op.tiling_field_count = fields.count();
    op.tiling_fields = fields.rows();
    const OpFunctions& functions = functions_of(entry.type);
    op.tile = functions.tiling ? tile : nullptr;
    op.infer_shape = functions.infers_shape() ? infer_shape : nullptr;
    op.infer_dtype = functions.infers_type() ? infer_dtype : nullptr;
    if (entry.kernel_count > 0 && entry.kernels[0]->task_type == OPK_TASK_AICPU) serve_by_cpu(op);
  }

  // What no class was registered for has no kernel, which whoever makes the package reports.
  static void serve_by_cpu(opk_op_v1& op) {
    op.tile = tile_cpu_kernel;
    if (!has_cpu_kernel(op.type)) op.kernel_count = 0;
  }

  // Returns the flattened OpDef of a type, nullptr when there is none.
  const opk_declared_v1* declare(const char* type) {
    const auto found = registry().definitions.find(type);
    if (found == registry().definitions.end()) return nullptr;
    try {
      declared_.push_back(std::make_unique<Declared>(*found->second(type)));
    } catch (const std::exception& error) {
      declared_.push_back(std::make_unique<Declared>(
          std::string("an exception left the constructor of the OpDef: ") + error.what()));
    } catch (...) {
      declared_.push_back(
          std::make_unique<Declared>("the constructor of the OpDef threw an exception"));
    }
    return declared_.back()->table();
  }

  std::deque<opk_op_v1> ops_;
  std::vector<const opk_op_v1*> op_rows_;
  std::vector<std::unique_ptr<Declared>> declared_;
  std::deque<TilingRows> tiling_rows_;
  opk_ops_v1 table_{};
};

}  // namespace

const void* plugin_extension(const char* id, const OpEntry* entries, uint32_t count) {
  if (std::strcmp(id, OPK_EXT_OPS) != 0) return nullptr;
  static const PluginTable table(entries, count);
  return table.table();
}

}  // namespace opkit_host
