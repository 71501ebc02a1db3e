#include "opkit/acl/runtime.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "opkit/base/large_pages.h"
#include "opkit_host/soc_table.h"

namespace opkit::acl {
namespace {

constexpr uint64_t kAlignment = 512;  // of device memory, bytes
constexpr uint64_t kUnit = 32;        // sizes are rounded up to it
constexpr int kPoison = 0xff;         // a NaN in every float type, -1 in every integer type

const opk_soc_v1* find_soc(const char* name) {
  for (const opk_soc_v1& soc : opkit_host::kSocTable) {
    if (std::strcmp(soc.name, name) == 0) return &soc;
  }
  return nullptr;
}

// A program that ignores the codes of its calls must not look like one that succeeded.
void end_of_process(int status, void*) {
  if (status != 0 || !Runtime::instance().any_fault) return;
  std::fputs("opkit: a kernel failed; the program ends with exit code 1\n", stderr);
  std::fflush(nullptr);
  _Exit(1);
}

// Registered before anything of the program, so that it runs after all of it.
__attribute__((constructor)) void watch_exit() { on_exit(end_of_process, nullptr); }

thread_local std::string last_message, shown_message;

}  // namespace

Runtime& Runtime::instance() {
  static Runtime* runtime = new Runtime;
  return *runtime;
}

const opk_soc_v1& Runtime::soc() const {
  const opk_soc_v1* soc = program.soc ? find_soc(program.soc) : nullptr;
  return soc ? *soc : *find_soc("Ascend910B1");
}

core::Machine& Runtime::machine() {
  if (!machine_) machine_ = std::make_unique<core::Machine>(soc());
  return *machine_;
}

Mode& Runtime::mode() {
  if (!mode_) mode_ = chosen_mode(soc().name);
  return *mode_;
}

aclError Runtime::allocate(void** result, uint64_t size, uint64_t extra) {
  const uint64_t limit = soc().memory_size[OPK_MEM_GM];
  const uint64_t bytes = (size + kUnit - 1) / kUnit * kUnit + extra;
  if (bytes < size || (limit != 0 && bytes > limit - device_bytes)) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "%llu bytes of device memory do not fit: %s has %llu, %llu are in use",
                static_cast<unsigned long long>(size), soc().name,
                static_cast<unsigned long long>(limit),
                static_cast<unsigned long long>(device_bytes));
  }
  void* memory = allocate_pages(bytes, kAlignment);
  if (!memory) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "this host has no %llu bytes",
                static_cast<unsigned long long>(size));
  }
  std::memset(memory, kPoison, bytes);
  device_memory[reinterpret_cast<uintptr_t>(memory)] = {size, bytes};
  device_bytes += bytes;
  *result = memory;
  return ACL_SUCCESS;
}

aclError Runtime::release(void* memory) {
  const auto found = device_memory.find(reinterpret_cast<uintptr_t>(memory));
  if (found == device_memory.end()) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "free of %p: %s", memory, about(memory).c_str());
  }
  device_bytes -= found->second.bytes;
  device_memory.erase(found);
  free_pages(memory);
  return ACL_SUCCESS;
}

bool Runtime::on_device(const void* address, uint64_t bytes) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  auto after = device_memory.upper_bound(at);
  if (after == device_memory.begin()) return false;
  const auto& [base, allocation] = *--after;
  return at - base <= allocation.bytes && bytes <= allocation.bytes - (at - base);
}

bool Runtime::touches_device(const void* address) const { return on_device(address, 1); }

std::string Runtime::about(const void* address) const {
  if (host_memory.count(reinterpret_cast<uintptr_t>(address))) {
    return "this is host memory (aclrtMallocHost)";
  }
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  auto after = device_memory.upper_bound(at);
  if (after != device_memory.begin()) {
    const auto& [base, allocation] = *--after;
    if (at - base < allocation.bytes) {
      return "it lies " + std::to_string(at - base) + " bytes into device memory of " +
             std::to_string(allocation.asked) + " bytes";
    }
  }
  return "no device memory that is alive lies there";
}

Stream* Runtime::find(aclrtStream stream) {
  if (!stream) return &default_stream;
  const auto found = streams.find(static_cast<Stream*>(stream));
  return found == streams.end() ? nullptr : *found;
}

uint8_t* Runtime::system_workspace() {
  const uint64_t bytes = soc().lib_api_workspace;
  if (system_workspace_ || bytes == 0) return system_workspace_;
  system_workspace_ = static_cast<uint8_t*>(allocate_pages(bytes, kAlignment));
  if (system_workspace_) std::memset(system_workspace_, 0, bytes);
  return system_workspace_;
}

std::vector<core::GmRange> Runtime::gm_ranges() {
  std::vector<core::GmRange> ranges;
  for (const auto& [base, allocation] : device_memory) {
    ranges.push_back(
        {reinterpret_cast<const uint8_t*>(base), allocation.bytes, "device memory", true, true});
  }
  if (system_workspace_) {
    ranges.push_back({system_workspace_, soc().lib_api_workspace, "system workspace", true, true});
  }
  return ranges;
}

aclError fail(aclError code, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  last_message = "opkit: error " + std::to_string(code) + ": " + text;
  return code;
}

}  // namespace opkit::acl

OPKIT_ACL_EXPORT const char* aclGetRecentErrMsg(void) {
  using namespace opkit::acl;
  if (last_message.empty()) return nullptr;
  shown_message = std::move(last_message);
  last_message.clear();
  return shown_message.c_str();
}
