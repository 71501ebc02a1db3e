// What a plugin's generated glue needs to export opkit_plugin_query:
//
//   #include "opkit_host/plugin_table.h"
//   static const opkit_host::KernelUnit kUnits[] = {{0, OPK_CORE_AIV, &opkit_entry_c0_aiv}};
//   static const opkit_host::KernelRows kRows = opkit_host::kernel_rows(kUnits, 1, "add_relu", 5);
//   static const opkit_host::OpEntry kOps[] = {{"AddRelu", kContract, sizeof kContract - 1,
//                                               kRows.kernels, kRows.count}};
//   OPKIT_PLUGIN("add_relu", "1.0.0", kOps)
//
// The functions are in the library opkit_plugin, which every plugin is linked with. The op_host
// sources are compiled into the same plugin, hidden (-fvisibility=hidden) and without unique
// symbols
// (-fno-gnu-unique).
#ifndef OPKIT_HOST_PLUGIN_TABLE_H_
#define OPKIT_HOST_PLUGIN_TABLE_H_

#include "opkit_kernel/unit.h"

namespace opkit_host {

// One compiled unit of a kernel.
struct KernelUnit {
  uint32_t column;
  opk_core_kind kind;
  const opkit_kernel::Unit* unit;
};

struct KernelRows {
  const opk_kernel_v1* const* kernels;
  uint32_t count;
};

// The units as the waist's rows: one per column and tiling key, with the entries for each kind of
// core.
__attribute__((visibility("hidden"))) KernelRows kernel_rows(const KernelUnit* units,
                                                             size_t unit_count, const char* entry,
                                                             uint32_t arg_count);

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

// The extension of that id, nullptr for one that is not known. The tables of the entries are made
// once, when the plugin is first asked.
__attribute__((visibility("hidden"))) const void* plugin_extension(const char* id,
                                                                   const OpEntry* entries,
                                                                   uint32_t count);

}  // namespace opkit_host

#define OPKIT_PLUGIN(plugin_name, plugin_version, entries)                                   \
  static const void* opkit_plugin_extension(const char* id) {                                \
    return ::opkit_host::plugin_extension(id, entries, sizeof entries / sizeof *entries);    \
  }                                                                                          \
  extern "C" __attribute__((visibility("default"))) const opk_plugin_v1* opkit_plugin_query( \
      uint32_t max_abi) {                                                                    \
    static const opk_plugin_v1 plugin = {                                                    \
        sizeof(opk_plugin_v1), OPK_ABI_VERSION,          plugin_name,                        \
        plugin_version,        ::opkit_host::kSanitizer, opkit_plugin_extension};            \
    return max_abi < OPK_ABI_VERSION ? nullptr : &plugin;                                    \
  }

#endif  // OPKIT_HOST_PLUGIN_TABLE_H_
