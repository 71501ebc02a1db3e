// What a plugin's generated glue needs to export opkit_plugin_query:
//
//   #include "opkit_host/plugin_table.h"
//   static const opk_kernel_v1 kKernel = {...};
//   static const opk_kernel_v1* const kKernels[] = {&kKernel};
//   static const opkit_host::OpEntry kOps[] = {{"AddRelu", kContract, sizeof kContract - 1,
//                                               kKernels, 1}};
//   OPKIT_PLUGIN("add_relu", "1.0.0", kOps)
//
// The op_host sources are compiled into the same library, hidden (-fvisibility=hidden) and without
// unique symbols (-fno-gnu-unique).
#ifndef OPKIT_HOST_PLUGIN_TABLE_H_
#define OPKIT_HOST_PLUGIN_TABLE_H_

#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <vector>

#include "opkit_host/declared.h"
#include "opkit_host/trampoline.h"

namespace opkit_host {

// One op of the plugin. Everything lives as long as the library.
struct OpEntry {
  const char* type;
  const char* contract;  // text of op_contract.yaml
  uint64_t contract_size;
  const opk_kernel_v1* const* kernels;
  uint32_t kernel_count;
};

#if defined(__SANITIZE_ADDRESS__)
constexpr uint32_t kSanitizer = OPK_SANITIZER_ADDRESS;
#elif defined(__SANITIZE_THREAD__)
constexpr uint32_t kSanitizer = OPK_SANITIZER_THREAD;
#else
constexpr uint32_t kSanitizer = OPK_SANITIZER_NONE;
#endif

// The tables behind opkit_plugin_query. Made once, when the plugin is first asked.
class OPKIT_HOST_LOCAL PluginTable {
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
    const OpFunctions& functions = functions_of(entry.type);
    op.tile = functions.tiling ? tile : nullptr;
    op.infer_shape = functions.infer_shape ? infer_shape : nullptr;
    const bool typed = functions.infer_data_type || functions.output_type_of_first_input;
    op.infer_dtype = typed ? infer_dtype : nullptr;
  }

  // The flattened OpDef of a type, nullptr when there is none.
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
  opk_ops_v1 table_{};
};

}  // namespace opkit_host

#define OPKIT_PLUGIN(plugin_name, plugin_version, entries)                                   \
  static const void* opkit_plugin_extension(const char* id) {                                \
    if (std::strcmp(id, OPK_EXT_OPS) != 0) return nullptr;                                   \
    static const ::opkit_host::PluginTable table(entries, sizeof entries / sizeof *entries); \
    return table.table();                                                                    \
  }                                                                                          \
  extern "C" __attribute__((visibility("default"))) const opk_plugin_v1* opkit_plugin_query( \
      uint32_t max_abi) {                                                                    \
    static const opk_plugin_v1 plugin = {                                                    \
        sizeof(opk_plugin_v1), OPK_ABI_VERSION,          plugin_name,                        \
        plugin_version,        ::opkit_host::kSanitizer, opkit_plugin_extension};            \
    return max_abi < OPK_ABI_VERSION ? nullptr : &plugin;                                    \
  }

#endif  // OPKIT_HOST_PLUGIN_TABLE_H_
