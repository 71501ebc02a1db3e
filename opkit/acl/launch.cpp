// Kernel launches of stand-alone programs, and the unit-test API.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "opkit/acl/execute.h"

namespace opkit::acl {
namespace {

enum KernelMode { kMixMode = 0, kAicMode = 1, kAivMode = 2 };

// "ns::add<float, 2>" -> "add".
std::string bare_name(const std::string& written) {
  std::string name = written.substr(0, written.find('<'));
  const size_t colon = name.rfind(':');
  if (colon != std::string::npos) name.erase(0, colon + 1);
  while (!name.empty() && (name.back() == ' ' || name.back() == '\n')) name.pop_back();
  return name.substr(std::min(name.find_first_not_of(" \n"), name.size()));
}

const opkit_kernel_kind_v1* kind_of(const Runtime& runtime, const std::string& name) {
  for (uint32_t i = 0; i < runtime.program.table.kernel_count; ++i) {
    if (name == runtime.program.table.kernels[i].name) return &runtime.program.table.kernels[i];
  }
  return nullptr;
}

const char* parameters_of(const Runtime& runtime, const std::string& name) {
  const opkit_program_v1& table = runtime.program.table;
  const opkit_kernel_kind_v1* kind = kind_of(runtime, name);
  return kind && table.parameters ? table.parameters[kind - table.kernels] : "";
}

bool refused(const opkit_launch_v1& launch, const char* code, const char* sentence) {
  std::fprintf(stderr, "error %s: launch of kernel %s: %s\n", code, launch.name, sentence);
  return false;
}

// The kernel's table entry; false when it cannot be launched.
bool resolve(const Runtime& runtime, const opkit_launch_v1& launch, opk_kernel_v1& kernel) {
  const opkit_kernel_kind_v1* kind = kind_of(runtime, bare_name(launch.name));
  if (!kind) {
    return refused(launch, "OPK-LAUNCH-001",
                   "no source given to opkit cc defines a __global__ function of this name");
  }
  int task_type = kind->task_type;
  if (launch.unit_test && runtime.program.kernel_mode == kAivMode) task_type = OPK_TASK_AIV_ONLY;
  if (launch.unit_test && runtime.program.kernel_mode == kAicMode) task_type = OPK_TASK_AIC_ONLY;
  const auto cube = runtime.program.cube_entries.find(launch.key);
  const bool needs_cube = task_type != OPK_TASK_AIV_ONLY && task_type != OPK_TASK_MIX_AIV_1_0;
  if (needs_cube && cube == runtime.program.cube_entries.end()) {
    return refused(launch, "OPK-LAUNCH-002",
                   "it wants cube cores, but its source has no cube code; say so with "
                   "KERNEL_TASK_TYPE_DEFAULT or __cube__");
  }
  kernel = entry_of(kind->name, task_type, launch.aiv, needs_cube ? cube->second : nullptr);
  return true;
}

bool check(Runtime& runtime, const opkit_launch_v1& launch) {
  if (launch.blocks < 1 || launch.blocks > kMostBlocks) {
    std::fprintf(
        stderr, "error OPK-LAUNCH-003: launch of kernel %s: %lld blocks; 1 to %lld are possible\n",
        launch.name, static_cast<long long>(launch.blocks), static_cast<long long>(kMostBlocks));
    return false;
  }
  if (!launch.unit_test && !runtime.has_context()) {
    return refused(launch, "OPK-LAUNCH-004", "no device is set; call aclrtSetDevice first");
  }
  if (!launch.unit_test && !runtime.device().find(launch.stream)) {
    return refused(launch, "OPK-LAUNCH-005", "its stream was destroyed or never created");
  }
  return true;
}

bool run(Runtime& runtime, const opkit_launch_v1& launch) {
  opk_kernel_v1 kernel;
  if (!check(runtime, launch) || !resolve(runtime, launch, kernel)) return false;
  KernelArguments arguments{launch.arguments, {}, parameters_of(runtime, bare_name(launch.name))};
  if (launch.pointer_count)
    arguments.pointers.assign(launch.pointers, launch.pointers + launch.pointer_count);
  Stream* const stream = runtime.device().find(launch.unit_test ? nullptr : launch.stream);
  return execute(runtime, *stream, kernel, static_cast<uint32_t>(launch.blocks), arguments);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT void opkit_program_describe(const opkit_program_v1* program) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  std::memcpy(&runtime.program.table, program,
              std::min<size_t>(program->struct_size, sizeof *program));
}

OPKIT_ACL_EXPORT void opkit_program_add_cube_entry(const char* key, opk_kernel_fn entry) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  runtime.program.cube_entries.emplace(key, entry);
}

OPKIT_ACL_EXPORT void opkit_program_launch(const opkit_launch_v1* launch) {
  const bool may_run = launch->unit_test || before_work(launch->stream) == ACL_SUCCESS;
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (may_run && run(runtime, *launch)) return;
  if (Stream* const stream = runtime.device().find(launch->stream))
    stream->submit([] { return false; });
  failed(runtime, launch->name);
  if (!launch->unit_test) return;
  std::fflush(nullptr);
  std::_Exit(1);  // no unit test looks at a result that is not there
}

OPKIT_ACL_EXPORT void* opkit_gm_alloc(uint64_t bytes) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  void* memory = nullptr;
  if (runtime.device().memory().allocate(&memory, bytes ? bytes : 1, 32) == ACL_SUCCESS)
    return memory;
  std::fprintf(stderr, "error OPK-LAUNCH-007: GmAlloc: %s\n", aclGetRecentErrMsg());
  std::exit(1);
}

OPKIT_ACL_EXPORT void opkit_gm_free(void* memory) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!memory || runtime.device().memory().release(memory, nullptr) == ACL_SUCCESS) return;
  std::fprintf(stderr, "error OPK-LAUNCH-008: GmFree: %s\n", aclGetRecentErrMsg());
  std::exit(1);
}

OPKIT_ACL_EXPORT void opkit_set_kernel_mode(int32_t mode) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  runtime.program.kernel_mode = mode;
}

OPKIT_ACL_EXPORT void opkit_set_tiling_key(uint64_t key) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  runtime.program.tiling_key = key;
}
