#include "registry/plugin_tables.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <utility>

#include "opkit/base/digest.h"

namespace opkit::registry {
namespace {

constexpr uint32_t kMaxKernels = 4096;
constexpr uint32_t kMaxTilingFields = 1u << 16;
constexpr uint64_t kMaxContractBytes = 4u << 20;

// The bytes of ABI 1's first release: structs grow at the tail, so a plugin may offer less than
// this host knows. What was added later is read only when struct_size says that it is there.
constexpr size_t kHeaderBytes = offsetof(opk_plugin_v1, get_extension) + sizeof(void*);
constexpr size_t kOpsBytes = offsetof(opk_ops_v1, ops) + sizeof(void*);
constexpr size_t kOpBytes = offsetof(opk_op_v1, declared) + sizeof(void*);
constexpr size_t kKernelBytes = offsetof(opk_kernel_v1, aiv) + sizeof(void*);
constexpr size_t kTilingFieldBytes = offsetof(opk_tiling_field_v1, tiling_key) + sizeof(uint64_t);
constexpr size_t kKernelWithMixBytes = offsetof(opk_kernel_v1, mix) + sizeof(void*);
constexpr size_t kOpWithFieldsBytes = offsetof(opk_op_v1, tiling_fields) + sizeof(void*);
constexpr const char* kRebuild = "rebuild the plugin with this opkit";

std::string text_of(const char* text) { return text == nullptr ? std::string() : text; }

std::string sanitizer_name(uint32_t sanitizer) {
  switch (sanitizer) {
    case OPK_SANITIZER_NONE: return "none";
    case OPK_SANITIZER_ADDRESS: return "address";
    case OPK_SANITIZER_THREAD: return "thread";
    default: return fmt::format("sanitizer {}", sanitizer);
  }
}

Error bad_header(std::string what) {
  return Error("OPK-PLUGIN-004", "the plugin's header is wrong: " + std::move(what), kRebuild);
}

Error bad_ops(std::string what) {
  return Error("OPK-PLUGIN-005", "the plugin's ops table is wrong: " + std::move(what), kRebuild);
}

Status check_header(const opk_plugin_v1& header, const HostFacts& host) {
  if (header.struct_size < kHeaderBytes) {
    return bad_header(
        fmt::format("struct_size is {}, ABI 1 needs {}", header.struct_size, kHeaderBytes));
  }
  if (header.abi < host.min_abi || header.abi > host.max_abi) {
    return bad_header(fmt::format("it says ABI {}, this opkit serves {} to {}", header.abi,
                                  host.min_abi, host.max_abi));
  }
  if (header.name == nullptr || header.version == nullptr || header.get_extension == nullptr) {
    return bad_header("name, version or get_extension is NULL");
  }
  return {};
}

bool has_entry(const opk_kernel_v1& kernel) {
  const bool mix = kernel.struct_size >= kKernelWithMixBytes && kernel.mix != nullptr;
  return kernel.aic != nullptr || kernel.aiv != nullptr || mix;
}

Status check_kernels(const opk_op_v1& op) {
  if (op.kernel_count > kMaxKernels) return bad_ops(fmt::format("{} kernels", op.kernel_count));
  if (op.kernel_count != 0 && op.kernels == nullptr) return bad_ops("kernels is NULL");
  for (uint32_t i = 0; i < op.kernel_count; ++i) {
    const opk_kernel_v1* kernel = op.kernels[i];
    if (kernel == nullptr || kernel->struct_size < kKernelBytes) {
      return bad_ops(fmt::format("kernel {} is NULL or too small", i));
    }
    if (kernel->name == nullptr || !has_entry(*kernel)) {
      return bad_ops(fmt::format("kernel {} has no name or no entry", i));
    }
  }
  return {};
}

Status check_tiling_fields(const opk_op_v1& op) {
  if (op.struct_size < kOpWithFieldsBytes) return {};
  if (op.tiling_field_count > kMaxTilingFields)
    return bad_ops(fmt::format("{} fields of tiling data", op.tiling_field_count));
  if (op.tiling_field_count != 0 && op.tiling_fields == nullptr)
    return bad_ops("tiling_fields is NULL");
  for (uint32_t i = 0; i < op.tiling_field_count; ++i) {
    const opk_tiling_field_v1* field = op.tiling_fields[i];
    if (field == nullptr || field->struct_size < kTilingFieldBytes || field->name == nullptr)
      return bad_ops(fmt::format("field {} of the tiling data is NULL or has no name", i));
  }
  return {};
}

Status check_op(const opk_op_v1* op) {
  if (op == nullptr || op->struct_size < kOpBytes) return bad_ops("op is NULL or too small");
  if (op->type == nullptr || op->contract == nullptr) return bad_ops("type or contract is NULL");
  if (op->contract_size > kMaxContractBytes) {
    return bad_ops(fmt::format("a contract of {} bytes", op->contract_size));
  }
  OPKIT_CHECK(check_tiling_fields(*op));
  return check_kernels(*op);
}

KernelEntry entry_of(const opk_kernel_v1& kernel) {
  KernelEntry entry;
  entry.name = kernel.name;
  if (kernel.column != OPK_ANY_COLUMN) entry.column = kernel.column;
  if (kernel.tiling_key != OPK_ANY_TILING_KEY) entry.tiling_key = kernel.tiling_key;
  entry.task_type = task_type_name(kernel.task_type);
  return entry;
}

}  // namespace

Result<PluginTables> read_tables(opk_query_fn query, const HostFacts& host) {
  PluginTables tables;
  tables.header = query(host.max_abi);
  if (tables.header == nullptr) {
    return Error(
        "OPK-PLUGIN-003",
        fmt::format("the plugin refuses this opkit: it wants a plugin ABI above {}", host.max_abi),
        "rebuild the plugin with this opkit, or use a newer opkit");
  }
  OPKIT_CHECK(check_header(*tables.header, host));
  const auto* ops = static_cast<const opk_ops_v1*>(tables.header->get_extension(OPK_EXT_OPS));
  if (ops == nullptr) return bad_ops(fmt::format("it does not offer {}", OPK_EXT_OPS));
  if (ops->struct_size < kOpsBytes) return bad_ops("it is too small");
  if (ops->count != 1 || ops->ops == nullptr) {
    return bad_ops(fmt::format("it holds {} ops; a package holds one", ops->count));
  }
  OPKIT_CHECK(check_op(ops->ops[0]));
  tables.op = ops->ops[0];
  return tables;
}

PluginFacts facts_of(const PluginTables& tables) {
  PluginFacts facts;
  facts.abi = tables.header->abi;
  facts.name = text_of(tables.header->name);
  facts.version = text_of(tables.header->version);
  facts.sanitizer = sanitizer_name(tables.header->sanitizer);
  facts.op = text_of(tables.op->type);
  facts.contract_sha256 = sha256_hex({tables.op->contract, tables.op->contract_size});
  for (uint32_t i = 0; i < tables.op->kernel_count; ++i) {
    facts.kernels.push_back(entry_of(*tables.op->kernels[i]));
  }
  facts.infers_shape = tables.op->infer_shape != nullptr;
  facts.infers_dtype = tables.op->infer_dtype != nullptr;
  facts.tiles = tables.op->tile != nullptr;
  facts.declares = tables.op->declared != nullptr;
  return facts;
}

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  std::swap(handle_, other.handle_);
  std::swap(folder_, other.folder_);
  return *this;
}

void SharedLibrary::close() {
  if (handle_ != nullptr) dlclose(handle_);
  if (folder_ >= 0) ::close(folder_);
  handle_ = nullptr;
  folder_ = -1;
}

// The loader knows loaded libraries by name before it looks at the file. When the file was replaced
// while the old library is in use, its name would yield the old code; a name through an open
// directory, which nobody else has, makes the loader compare the files themselves. Without a live
// namesake the plain path is used, because debuggers can follow it.
Result<SharedLibrary> SharedLibrary::open(const std::filesystem::path& path) {
  SharedLibrary library;
  std::string name = std::filesystem::absolute(path).string();
  if (void* namesake = dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
    dlclose(namesake);
    library.folder_ = ::open(std::filesystem::absolute(path).parent_path().c_str(),
                             O_PATH | O_DIRECTORY | O_CLOEXEC);
    name = fmt::format("/proc/self/fd/{}/{}", library.folder_, path.filename().string());
  }
  library.handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library.handle_ != nullptr) return library;
  return Error("OPK-PLUGIN-001", fmt::format("cannot load the library: {}", text_of(dlerror())),
               "look at the missing file or symbol; `opkit inspect` shows what the library needs");
}

Result<opk_query_fn> SharedLibrary::query_function() const {
  void* symbol = dlsym(handle_, OPK_QUERY_SYMBOL);
  if (symbol != nullptr) return reinterpret_cast<opk_query_fn>(symbol);
  return Error("OPK-PLUGIN-002", fmt::format("the library does not export {}", OPK_QUERY_SYMBOL),
               "build it with opkit_add_op, which adds the query function");
}

}  // namespace opkit::registry
