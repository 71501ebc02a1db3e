// Kernel launches of stand-alone programs, and the unit-test API.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/base/program.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/program/execute.h"
#include "opkit/acl/runtime/submit.h"

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

struct Described {
  const opkit_kernel_kind_v1* kind = nullptr;
  const char* parameters = "";
};

// Finds the description of a kernel; no kind: no object of the program defines it.
Described described(const std::string& name) {
  for (const opkit_program_v1& table : program().tables) {
    for (uint32_t i = 0; i < table.kernel_count; ++i) {
      if (name == table.kernels[i].name)
        return {&table.kernels[i], table.parameters ? table.parameters[i] : ""};
    }
  }
  return {};
}

bool refused(const opkit_launch_v1& launch, const char* code, const char* sentence) {
  std::fprintf(stderr, "error %s: launch of kernel %s: %s\n", code, launch.name, sentence);
  return false;
}

// The kernel's table entry; false when it cannot be launched.
bool resolve(const opkit_launch_v1& launch, opk_kernel_v1& kernel) {
  const opkit_kernel_kind_v1* kind = described(bare_name(launch.name)).kind;
  if (!kind) {
    return refused(launch, "OPK-LAUNCH-001",
                   "no source given to opkit cc defines a __global__ function of this name");
  }
  int task_type = kind->task_type;
  if (launch.unit_test && program().kernel_mode == kAivMode) task_type = OPK_TASK_AIV_ONLY;
  if (launch.unit_test && program().kernel_mode == kAicMode) task_type = OPK_TASK_AIC_ONLY;
  const auto cube = program().cube_entries.find(launch.key);
  const bool needs_cube = task_type != OPK_TASK_AIV_ONLY && task_type != OPK_TASK_MIX_AIV_1_0;
  if (needs_cube && cube == program().cube_entries.end()) {
    return refused(launch, "OPK-LAUNCH-002",
                   "it wants cube cores, but its source has no cube code; say so with "
                   "KERNEL_TASK_TYPE_DEFAULT or __cube__");
  }
  kernel = entry_of(kind->name, task_type, launch.aiv, needs_cube ? cube->second : nullptr);
  return true;
}

bool check(const opkit_launch_v1& launch) {
  if (launch.blocks < 1 || launch.blocks > kMostBlocks) {
    std::fprintf(
        stderr, "error OPK-LAUNCH-003: launch of kernel %s: %lld blocks; 1 to %lld are possible\n",
        launch.name, static_cast<long long>(launch.blocks), static_cast<long long>(kMostBlocks));
    return false;
  }
  if (!launch.unit_test && !has_context()) {
    return refused(launch, "OPK-LAUNCH-004", "no device is set; call aclrtSetDevice first");
  }
  return true;
}

// The arguments of a launch, as long as its task lives.
struct GivenArguments {
  explicit GivenArguments(const opkit_launch_v1& launch)
      : values(launch.arguments), release(releases(launch) ? launch.release : nullptr) {}
  ~GivenArguments() {
    if (release) release(values);
  }
  GivenArguments(const GivenArguments&) = delete;
  GivenArguments& operator=(const GivenArguments&) = delete;

  static bool releases(const opkit_launch_v1& launch) {
    return launch.struct_size >= sizeof launch && launch.release != nullptr;
  }
  void* values;
  void (*release)(void*);
};

// Makes a task of a launch that cannot be made: it fails when the stream comes to it.
aclError no_launch(const opkit_launch_v1& launch, Task& task) {
  task.kind = TaskKind::kKernel;
  task.work = [name = std::string(launch.name)] { return failed(name.c_str()); };
  return ACL_SUCCESS;
}

aclError prepare(const opkit_launch_v1& launch, std::shared_ptr<GivenArguments> given, Task& task) {
  opk_kernel_v1 kernel;
  if (!check(launch) || !resolve(launch, kernel)) return no_launch(launch, task);
  KernelArguments arguments{given->values, {}, described(bare_name(launch.name)).parameters};
  if (launch.pointer_count)
    arguments.pointers.assign(launch.pointers, launch.pointers + launch.pointer_count);
  task.kind = TaskKind::kKernel;
  task.work = [kernel, blocks = static_cast<uint32_t>(launch.blocks),
               arguments = std::move(arguments), given = std::move(given),
               key = program().tiling_key] { return launch_now(kernel, blocks, arguments, key); };
  return ACL_SUCCESS;
}

// A launch has no answer: stderr has it, and a graph that lacks the kernel is none.
void not_taken(const opkit_launch_v1& launch, aclrtStream stream, aclError code) {
  if (code == ACL_ERROR_RT_STREAM_CONTEXT) {
    refused(launch, "OPK-LAUNCH-005", "its stream was destroyed or never created");
  } else {
    refused(launch, "OPK-LAUNCH-015", (std::to_string(code) + ": " + take_text()).c_str());
  }
  failed(launch.name);
  const Lock lock;
  const Stream* const on = the_device().find(stream);
  if (on && on->capture) on->capture->spoil(std::string(launch.name) + " was not captured");
}

[[noreturn]] void end_test() {
  std::fflush(nullptr);
  std::_Exit(1);  // no unit test looks at a result that is not there
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT void opkit_program_describe(const opkit_program_v1* told) {
  const Lock lock;
  opkit_program_v1& table = program().tables.emplace_back();
  std::memcpy(&table, told, std::min<size_t>(told->struct_size, sizeof table));
}

OPKIT_ACL_EXPORT void opkit_program_add_cube_entry(const char* key, opk_kernel_fn entry) {
  const Lock lock;
  program().cube_entries.emplace(key, entry);
}

// A unit test looks at the result next; arguments that nobody releases end with this call.
OPKIT_ACL_EXPORT void opkit_program_launch(const opkit_launch_v1* launch) {
  auto given = std::make_shared<GivenArguments>(*launch);
  const aclrtStream stream = launch->unit_test ? nullptr : launch->stream;
  const aclError code = submit(stream, [&](Task& task) -> aclError {
    if (!launch->unit_test && !GivenArguments::releases(*launch) &&
        keeps_tasks(*the_device().find(stream)))
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                  "an older opkit cc made the launch, which cannot be captured; build it again");
    return prepare(*launch, std::move(given), task);
  });
  if (code != ACL_SUCCESS) not_taken(*launch, stream, code);
  if (launch->unit_test) {
    if (wait_for(stream, {})) end_test();
  } else if (!GivenArguments::releases(*launch)) {
    finish(stream);
  }
}

OPKIT_ACL_EXPORT void* opkit_gm_alloc(uint64_t bytes) {
  const Lock lock;
  void* memory = nullptr;
  if (the_device().memory().allocate(&memory, bytes ? bytes : 1, 32) == ACL_SUCCESS) return memory;
  std::fprintf(stderr, "error OPK-LAUNCH-007: GmAlloc: %s\n", aclGetRecentErrMsg());
  std::exit(1);
}

OPKIT_ACL_EXPORT void opkit_gm_free(void* memory) {
  const Lock lock;
  if (!memory || the_device().memory().release(memory, nullptr) == ACL_SUCCESS) return;
  std::fprintf(stderr, "error OPK-LAUNCH-008: GmFree: %s\n", aclGetRecentErrMsg());
  std::exit(1);
}

OPKIT_ACL_EXPORT void opkit_set_kernel_mode(int32_t mode) {
  const Lock lock;
  program().kernel_mode = mode;
}

OPKIT_ACL_EXPORT void opkit_set_tiling_key(uint64_t key) {
  const Lock lock;
  program().tiling_key = key;
}
