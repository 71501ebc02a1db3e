// Launches of kernels by their handles.
#include <cstring>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/base/program.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/program/binary.h"
#include "opkit/acl/program/execute.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {
namespace {

// None of them changes what a launch computes.
aclError check_config(const aclrtLaunchKernelCfg* config) {
  if (!config) return ACL_SUCCESS;
  if (config->numAttrs != 0 && !config->attrs) {
    return fail(ACL_ERROR_INVALID_PARAM, "%zu attributes, but none given", config->numAttrs);
  }
  bool seconds = false, microseconds = false;
  for (size_t i = 0; i < config->numAttrs; ++i) {
    const aclrtLaunchKernelAttr& one = config->attrs[i];
    const int id = one.id;
    if (id < ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE || id > ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US) {
      return fail(ACL_ERROR_INVALID_PARAM, "no attribute of a launch has the number %d", id);
    }
    if (id == ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE && one.value.schemMode > 1) {
      return fail(ACL_ERROR_INVALID_PARAM, "schemMode is 0 or 1, not %d", one.value.schemMode);
    }
    seconds = seconds || id == ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT;
    microseconds = microseconds || id == ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
  }
  if (!seconds || !microseconds) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "timeout and timeoutUs exclude each other");
}

// Parameters as wide as a pointer may be one; what points nowhere names nothing.
std::vector<const void*> pointers_of(const opkit_binary_kernel_v1& kernel, const void* arguments) {
  std::vector<const void*> pointers(kernel.parameter_count);
  for (uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (kernel.parameters[i].size != sizeof(void*)) continue;
    std::memcpy(&pointers[i], static_cast<const uint8_t*>(arguments) + kernel.parameters[i].offset,
                sizeof(void*));
  }
  return pointers;
}

// What a launch keeps until it is done: the block of its arguments, and what they point to.
struct Block {
  std::vector<uint8_t> bytes;
  std::vector<std::shared_ptr<void>> copies;
};

aclError check_launch(const Function& function, uint32_t blocks) {
  if (blocks < 1 || blocks > kMostBlocks) {
    return fail(ACL_ERROR_INVALID_PARAM, "%u blocks of kernel %s; 1 to %lld are possible", blocks,
                function.kernel->name, static_cast<long long>(kMostBlocks));
  }
  if (has_context()) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_CONTEXT_NULL, "a launch without a device; call aclrtSetDevice first");
}

aclError run(const Function& function, uint32_t blocks, void* arguments) {
  const opkit_binary_kernel_v1& from = *function.kernel;
  return launch_now(entry_of(from.name, from.task_type, from.aiv, from.aic), blocks,
                    {arguments, pointers_of(from, arguments), function.parameters});
}

// Captured work may be executed when its binary is gone.
aclError check_loaded(aclrtFuncHandle handle, const Function& function) {
  const Lock lock;
  const Function* const found = find_function(handle);
  if (found && found->kernel == function.kernel) return ACL_SUCCESS;
  return faults().keep_task(
      fail(ACL_ERROR_RT_INVALID_HANDLE,
           "a captured kernel's binary was unloaded; call aclmdlRIDestroy before "
           "aclrtBinaryUnLoad"));
}

aclError check_block(const void* data, size_t bytes) {
  const DeviceMemory& memory = the_device().memory();
  if (bytes == 0 || memory.holds(data, bytes)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID, "arguments at %p: %s", data, memory.about(data).c_str());
}

// The chip reads the arguments when the kernel runs: work before it in the stream may write them.
aclError launch_from_device(aclrtFuncHandle handle, uint32_t blocks, const void* data, size_t bytes,
                            const aclrtLaunchKernelCfg* config, aclrtStream stream) {
  return submit(stream, [&](Task& task) -> aclError {
    const Function* const function = find_function(handle);
    if (!function) return ACL_ERROR_RT_INVALID_HANDLE;
    if (const aclError code = check_config(config)) return code;
    if (bytes < function->arguments_size()) {
      return fail(ACL_ERROR_INVALID_PARAM, "kernel %s takes %u bytes of arguments, given are %zu",
                  function->kernel->name, function->arguments_size(), bytes);
    }
    if (const aclError code = check_block(data, bytes)) return code;
    if (const aclError code = check_launch(*function, blocks)) return code;
    task.kind = TaskKind::kKernel;
    task.work = [handle, function = *function, blocks, data, bytes]() -> aclError {
      if (const aclError code = check_loaded(handle, function)) return code;
      if (const aclError code = check_block(data, bytes)) return code;
      std::vector<uint8_t> block(bytes);
      if (bytes != 0) std::memcpy(block.data(), data, bytes);
      return run(function, blocks, block.data());
    };
    return ACL_SUCCESS;
  });
}

// The task has the block: the program may do with its arguments what it likes.
aclError keep_launch(aclrtFuncHandle handle, const Function& function, uint32_t blocks,
                     std::shared_ptr<Block> block, Task& task) {
  if (const aclError code = check_launch(function, blocks)) return code;
  task.kind = TaskKind::kKernel;
  task.work = [handle, function, blocks, block = std::move(block)]() -> aclError {
    if (const aclError code = check_loaded(handle, function)) return code;
    return run(function, blocks, block->bytes.data());
  };
  return ACL_SUCCESS;
}

// fill(function, block).
template <typename Fill>
aclError launch_from_host(aclrtFuncHandle handle, uint32_t blocks, aclrtStream stream,
                          const aclrtLaunchKernelCfg* config, Fill fill) {
  return submit(stream, [&](Task& task) -> aclError {
    const Function* const function = find_function(handle);
    if (!function) return ACL_ERROR_RT_INVALID_HANDLE;
    if (const aclError code = check_config(config)) return code;
    const auto block = std::make_shared<Block>();
    if (const aclError code = fill(*function, *block)) return code;
    return keep_launch(handle, *function, blocks, block, task);
  });
}

// Page "aclrtLaunchKernelWithHostArgs": all arguments as they lie on the device, and what
// placeholders point to behind them.
aclError take_block(const Function& function, const void* args, size_t bytes, Block& block) {
  const uint32_t wanted = function.arguments_size();
  if (bytes < wanted || (!args && bytes != 0))
    return fail(ACL_ERROR_INVALID_PARAM,
                "kernel %s takes %u bytes of arguments, given are %zu at %p; pass all of them, "
                "each at its alignment",
                function.kernel->name, wanted, bytes, args);
  const auto* const from = static_cast<const uint8_t*>(args);
  block.bytes.assign(from, from + bytes);
  return ACL_SUCCESS;
}

// The block is copied to the device once, and placeholders point into the copy.
aclError place_data(const aclrtPlaceHolderInfo* places, size_t count, Block& block) {
  if (count == 0) return ACL_SUCCESS;
  if (!places)
    return fail(ACL_ERROR_INVALID_PARAM,
                "%zu placeholders, but none given; pass an array of as many", count);
  const size_t bytes = block.bytes.size();
  for (size_t i = 0; i < count; ++i) {
    if (places[i].dataOffset < bytes && size_t{places[i].addrOffset} + sizeof(void*) <= bytes)
      continue;
    return fail(ACL_ERROR_INVALID_PARAM,
                "placeholder %zu: an address at byte %u, its data at byte %u of %zu; both lie "
                "within argsSize",
                i, places[i].addrOffset, places[i].dataOffset, bytes);
  }
  DeviceMemory& device = the_device().memory();
  void* memory = nullptr;
  if (const aclError code = device.allocate(&memory, bytes, 0)) return code;
  block.copies.emplace_back(memory, [&device](void* mine) { device.release(mine, nullptr); });
  std::memcpy(memory, block.bytes.data(), bytes);
  for (size_t i = 0; i < count; ++i) {
    const void* const data = static_cast<uint8_t*>(memory) + places[i].dataOffset;
    std::memcpy(block.bytes.data() + places[i].addrOffset, &data, sizeof data);
  }
  return ACL_SUCCESS;
}

// Page "aclrtLaunchKernelWithArgsArray": an address per parameter.
aclError take_values(const Function& function, void* const* args, Block& block) {
  const opkit_binary_kernel_v1& kernel = *function.kernel;
  block.bytes.resize(function.arguments_size());
  for (uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (!args || !args[i])
      return fail(ACL_ERROR_INVALID_PARAM,
                  "kernel %s: parameter %u has no value; pass the address of one for each",
                  kernel.name, i + 1);
    const opkit_parameter_v1& to = kernel.parameters[i];
    std::memcpy(block.bytes.data() + to.offset, args[i], to.size);
  }
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtLaunchKernel(aclrtFuncHandle function, uint32_t blocks,
                                            const void* data, size_t bytes, aclrtStream stream) {
  return launch_from_device(function, blocks, data, bytes, nullptr, stream);
}

OPKIT_ACL_EXPORT aclError aclrtLaunchKernelV2(aclrtFuncHandle function, uint32_t blocks,
                                              const void* data, size_t bytes,
                                              aclrtLaunchKernelCfg* config, aclrtStream stream) {
  return launch_from_device(function, blocks, data, bytes, config, stream);
}

OPKIT_ACL_EXPORT aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle handle, uint32_t blocks,
                                                      aclrtStream stream,
                                                      aclrtLaunchKernelCfg* config,
                                                      aclrtArgsHandle list, void* reserve) {
  return submit(stream, [&](Task& task) -> aclError {
    const ArgumentList* const args = find_arguments(list);
    if (!args) return ACL_ERROR_RT_INVALID_HANDLE;
    const Function* const function = find_function(handle);
    if (!function) return ACL_ERROR_RT_INVALID_HANDLE;
    if (reserve) return fail(ACL_ERROR_INVALID_PARAM, "the last argument is reserved: give NULL");
    if (&args->function() != function || !args->finished()) {
      return fail(ACL_ERROR_RT_PARAM_INVALID,
                  args->finished()
                      ? "the list of arguments belongs to another kernel than %s"
                      : "the list of arguments of %s is not ended: call aclrtKernelArgsFinalize",
                  function->kernel->name);
    }
    if (const aclError code = check_config(config)) return code;
    const auto block = std::make_shared<Block>();
    DeviceMemory& memory = the_device().memory();
    if (const aclError code = args->block(memory, block->copies, block->bytes)) return code;
    return keep_launch(handle, *function, blocks, block, task);
  });
}

OPKIT_ACL_EXPORT aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle handle, uint32_t blocks,
                                                        aclrtStream stream,
                                                        aclrtLaunchKernelCfg* config, void* args,
                                                        size_t bytes, aclrtPlaceHolderInfo* places,
                                                        size_t count) {
  return launch_from_host(handle, blocks, stream, config,
                          [&](const Function& function, Block& block) {
                            if (const aclError code = take_block(function, args, bytes, block))
                              return code;
                            return place_data(places, count, block);
                          });
}

OPKIT_ACL_EXPORT aclError aclrtLaunchKernelWithArgsArray(void* handle, uint32_t blocks,
                                                         aclrtStream stream,
                                                         aclrtLaunchKernelCfg* config,
                                                         void** args) {
  return launch_from_host(
      handle, blocks, stream, config,
      [&](const Function& function, Block& block) { return take_values(function, args, block); });
}
