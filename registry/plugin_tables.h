// Reading a loaded library's tables. Whoever calls this runs the library's code.
#ifndef OPKIT_REGISTRY_PLUGIN_TABLES_H_
#define OPKIT_REGISTRY_PLUGIN_TABLES_H_

#include <filesystem>
#include <string>
#include <utility>

#include "opkit/abi/plugin.h"
#include "opkit/base/status.h"
#include "registry/host.h"
#include "registry/plugin_facts.h"

namespace opkit::registry {

struct PluginTables {
  const opk_plugin_v1* header = nullptr;
  const opk_op_v1* op = nullptr;  // the only op of the library
};

// Asks the query function and checks every struct_size, pointer and count before it is followed.
// OPK-PLUGIN-003 the query answers NULL, -004 bad header, -005 bad ops table.
Result<PluginTables> read_tables(opk_query_fn query, const HostFacts& host);

// Returns the tables as plain values.
PluginFacts facts_of(const PluginTables& tables);

// A library opened with RTLD_NOW | RTLD_LOCAL, closed at the end of its life.
class SharedLibrary {
 public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept { *this = std::move(other); }
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  SharedLibrary(const SharedLibrary&) = delete;
  ~SharedLibrary() { close(); }

  // OPK-PLUGIN-001 with the loader's words.
  static Result<SharedLibrary> open(const std::filesystem::path& path);
  // OPK-PLUGIN-002 when the symbol is not there.
  Result<opk_query_fn> query_function() const;
  void close();

 private:
  void* handle_ = nullptr;
  int folder_ = -1;  // is the folder of the library, when it was opened through /proc/self/fd
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PLUGIN_TABLES_H_
