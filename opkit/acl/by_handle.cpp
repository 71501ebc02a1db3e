// Kernels by their handles: loading, arguments, launches.
#include <cstring>

#include "opkit/acl/binary.h"
#include "opkit/acl/execute.h"
#include "opkit/acl/submit.h"

namespace opkit::acl {
namespace {

// The binary that a kernel belongs to.
Binary* find_owner(const Runtime& runtime, const void* function) {
  Binary* owner = nullptr;
  runtime.binaries.each([&](Binary& binary) {
    if (binary.find_function(function)) owner = &binary;
  });
  if (!owner) {
    fail(ACL_ERROR_RT_INVALID_HANDLE,
         "%p is no kernel of a binary that is loaded; ask aclrtBinaryGetFunction for it", function);
  }
  return owner;
}

Binary* find_binary(const Runtime& runtime, const void* handle) {
  Binary* const binary = runtime.binaries.find(handle);
  if (!binary) {
    fail(ACL_ERROR_RT_INVALID_HANDLE, "%p is no binary, or it was unloaded", handle);
  }
  return binary;
}

aclError add(Runtime& runtime, std::unique_ptr<Object> object, aclrtBinHandle* handle) {
  std::unique_ptr<Binary> binary;
  if (const aclError code = Binary::make(runtime.soc(), std::move(object), binary)) return code;
  *handle = runtime.binaries.add(std::move(binary));
  return ACL_SUCCESS;
}

const Function* find_function(const Runtime& runtime, const void* handle) {
  const Binary* const owner = find_owner(runtime, handle);
  return owner ? owner->find_function(handle) : nullptr;
}

Arguments* find_arguments(const Runtime& runtime, const void* handle) {
  Arguments* arguments = nullptr;
  runtime.binaries.each([&](Binary& binary) {
    if (Arguments* const found = binary.find_arguments(handle)) arguments = found;
  });
  if (!arguments) {
    fail(ACL_ERROR_RT_INVALID_HANDLE, "%p is no list of arguments, or its binary was unloaded",
         handle);
  }
  return arguments;
}

// Lazy or not is all the same here, and cores are known from the kernel.
aclError check_options(const aclrtBinaryLoadOptions* options) {
  if (!options) return ACL_SUCCESS;
  if (options->numOpt != 0 && !options->options) {
    return fail(ACL_ERROR_INVALID_PARAM, "%zu options, but none given", options->numOpt);
  }
  for (size_t i = 0; i < options->numOpt; ++i) {
    const int type = options->options[i].type;
    if (type == ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD || type == ACL_RT_BINARY_LOAD_OPT_MAGIC) continue;
    return fail(ACL_ERROR_INVALID_PARAM, "option %d of loading is not for kernels of AI cores",
                type);
  }
  return ACL_SUCCESS;
}

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

aclError check_launch(const Runtime& runtime, const Function& function, uint32_t blocks) {
  if (blocks < 1 || blocks > kMostBlocks) {
    return fail(ACL_ERROR_INVALID_PARAM, "%u blocks of kernel %s; 1 to %lld are possible", blocks,
                function.kernel->name, static_cast<long long>(kMostBlocks));
  }
  if (runtime.has_context()) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_CONTEXT_NULL, "a launch without a device; call aclrtSetDevice first");
}

aclError run(Runtime& runtime, const Function& function, uint32_t blocks, void* arguments) {
  const opkit_binary_kernel_v1& from = *function.kernel;
  return launch_now(runtime, entry_of(from.name, from.task_type, from.aiv, from.aic), blocks,
                    {arguments, pointers_of(from, arguments), function.parameters});
}

// Captured work may be executed when its binary is gone.
aclError check_loaded(Runtime& runtime, aclrtFuncHandle handle, const Function& function) {
  const Lock lock(runtime.mutex);
  const Function* const found = find_function(runtime, handle);
  if (found && found->kernel == function.kernel) return ACL_SUCCESS;
  return runtime.faults.keep_task(
      fail(ACL_ERROR_RT_INVALID_HANDLE,
           "a captured kernel's binary was unloaded; call aclmdlRIDestroy before "
           "aclrtBinaryUnLoad"));
}

aclError check_block(Runtime& runtime, const void* data, size_t bytes) {
  const DeviceMemory& memory = runtime.device().memory();
  if (bytes == 0 || memory.holds(data, bytes)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID, "arguments at %p: %s", data, memory.about(data).c_str());
}

// The chip reads the arguments when the kernel runs: work before it in the stream may write them.
aclError launch_from_device(aclrtFuncHandle handle, uint32_t blocks, const void* data, size_t bytes,
                            const aclrtLaunchKernelCfg* config, aclrtStream stream) {
  return submit(stream, [&](Runtime& runtime, Task& task) -> aclError {
    const Function* const function = find_function(runtime, handle);
    if (!function) return ACL_ERROR_RT_INVALID_HANDLE;
    if (const aclError code = check_config(config)) return code;
    if (bytes < function->arguments_size()) {
      return fail(ACL_ERROR_INVALID_PARAM, "kernel %s takes %u bytes of arguments, given are %zu",
                  function->kernel->name, function->arguments_size(), bytes);
    }
    if (const aclError code = check_block(runtime, data, bytes)) return code;
    if (const aclError code = check_launch(runtime, *function, blocks)) return code;
    task.kind = TaskKind::kKernel;
    task.work = [&runtime, handle, function = *function, blocks, data, bytes]() -> aclError {
      if (const aclError code = check_loaded(runtime, handle, function)) return code;
      if (const aclError code = check_block(runtime, data, bytes)) return code;
      std::vector<uint8_t> block(bytes);
      if (bytes != 0) std::memcpy(block.data(), data, bytes);
      return run(runtime, function, blocks, block.data());
    };
    return ACL_SUCCESS;
  });
}

// The task has the block: the program may do with its arguments what it likes.
aclError keep_launch(Runtime& runtime, aclrtFuncHandle handle, const Function& function,
                     uint32_t blocks, std::shared_ptr<Block> block, Task& task) {
  if (const aclError code = check_launch(runtime, function, blocks)) return code;
  task.kind = TaskKind::kKernel;
  task.work = [&runtime, handle, function, blocks, block = std::move(block)]() -> aclError {
    if (const aclError code = check_loaded(runtime, handle, function)) return code;
    return run(runtime, function, blocks, block->bytes.data());
  };
  return ACL_SUCCESS;
}

// fill(runtime, function, block).
template <typename Fill>
aclError launch_from_host(aclrtFuncHandle handle, uint32_t blocks, aclrtStream stream,
                          const aclrtLaunchKernelCfg* config, Fill fill) {
  return submit(stream, [&](Runtime& runtime, Task& task) -> aclError {
    const Function* const function = find_function(runtime, handle);
    if (!function) return ACL_ERROR_RT_INVALID_HANDLE;
    if (const aclError code = check_config(config)) return code;
    const auto block = std::make_shared<Block>();
    if (const aclError code = fill(runtime, *function, *block)) return code;
    return keep_launch(runtime, handle, *function, blocks, block, task);
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
aclError place_data(Runtime& runtime, const aclrtPlaceHolderInfo* places, size_t count,
                    Block& block) {
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
  DeviceMemory& device = runtime.device().memory();
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

// Calls the member of the list that the handle names.
template <typename Call>
aclError with_arguments(aclrtArgsHandle handle, Call call) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  Arguments* const found = find_arguments(runtime, handle);
  return found ? call(runtime, *found) : ACL_ERROR_RT_INVALID_HANDLE;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtBinaryLoadFromFile(const char* path, aclrtBinaryLoadOptions* options,
                                                  aclrtBinHandle* handle) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!path || !handle)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryLoadFromFile without a path or a handle");
  if (path[0] != '/') {
    return fail(ACL_ERROR_INVALID_PARAM,
                "'%s' is not absolute: a binary is loaded by a path that begins with /", path);
  }
  if (const aclError code = check_options(options)) return code;
  std::unique_ptr<Object> object;
  if (const aclError code = Object::from_file(path, object)) return code;
  return add(runtime, std::move(object), handle);
}

OPKIT_ACL_EXPORT aclError aclrtBinaryLoadFromData(const void* data, size_t bytes,
                                                  const aclrtBinaryLoadOptions* options,
                                                  aclrtBinHandle* handle) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!data || bytes == 0 || !handle)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryLoadFromData without data or a handle");
  if (const aclError code = check_options(options)) return code;
  std::unique_ptr<Object> object;
  const std::string_view view(static_cast<const char*>(data), bytes);
  if (const aclError code = Object::from_bytes(view, object)) return code;
  return add(runtime, std::move(object), handle);
}

// Its code goes: no stream runs it any more when it does.
OPKIT_ACL_EXPORT aclError aclrtBinaryUnLoad(aclrtBinHandle handle) {
  Runtime& runtime = Runtime::instance();
  runtime.scheduler().wait_for_all();
  const Lock lock(runtime.mutex);
  if (!find_binary(runtime, handle)) return ACL_ERROR_RT_INVALID_HANDLE;
  return runtime.binaries.destroy(handle);
}

OPKIT_ACL_EXPORT aclError aclrtBinaryGetFunction(const aclrtBinHandle handle, const char* name,
                                                 aclrtFuncHandle* function) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!name || !function)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryGetFunction without a name or a place");
  Binary* const binary = find_binary(runtime, handle);
  if (!binary) return ACL_ERROR_RT_INVALID_HANDLE;
  *function = binary->function(name);
  if (*function) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "the binary has no kernel %s, but: %s", name,
              binary->names().c_str());
}

OPKIT_ACL_EXPORT aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle handle, uint64_t entry,
                                                        aclrtFuncHandle* function) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!function)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryGetFunctionByEntry without a place");
  Binary* const binary = find_binary(runtime, handle);
  if (!binary) return ACL_ERROR_RT_INVALID_HANDLE;
  const std::vector<Function*> found = binary->functions(entry);
  *function = found.size() == 1 ? found[0] : nullptr;
  if (*function) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%zu kernels of the binary end in _%llu, one must: %s",
              found.size(), static_cast<unsigned long long>(entry), binary->names().c_str());
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsInit(aclrtFuncHandle handle, aclrtArgsHandle* list) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!list) return fail(ACL_ERROR_INVALID_PARAM, "no place for the list of arguments");
  Binary* const owner = find_owner(runtime, handle);
  if (!owner) return ACL_ERROR_RT_INVALID_HANDLE;
  *list = owner->new_arguments(*owner->find_function(handle));
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsAppend(aclrtArgsHandle list, void* value, size_t bytes,
                                                aclrtParamHandle* handle) {
  return with_arguments(
      list, [&](Runtime&, Arguments& args) { return args.append(value, bytes, handle); });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle list,
                                                           aclrtParamHandle* handle) {
  return with_arguments(list,
                        [&](Runtime&, Arguments& args) { return args.append_placeholder(handle); });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle list,
                                                              aclrtParamHandle handle, size_t bytes,
                                                              void** buffer) {
  return with_arguments(list, [&](Runtime&, Arguments& args) {
    return args.placeholder_buffer(handle, bytes, buffer);
  });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle list, aclrtParamHandle handle,
                                                    void* value, size_t bytes) {
  return with_arguments(
      list, [&](Runtime&, Arguments& args) { return args.update(handle, value, bytes); });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsFinalize(aclrtArgsHandle list) {
  return with_arguments(list, [](Runtime&, Arguments& args) { return args.finish(); });
}

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
  return submit(stream, [&](Runtime& runtime, Task& task) -> aclError {
    const Arguments* const args = find_arguments(runtime, list);
    if (!args) return ACL_ERROR_RT_INVALID_HANDLE;
    const Function* const function = find_function(runtime, handle);
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
    DeviceMemory& memory = runtime.device().memory();
    if (const aclError code = args->block(memory, block->copies, block->bytes)) return code;
    return keep_launch(runtime, handle, *function, blocks, block, task);
  });
}

OPKIT_ACL_EXPORT aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle handle, uint32_t blocks,
                                                        aclrtStream stream,
                                                        aclrtLaunchKernelCfg* config, void* args,
                                                        size_t bytes, aclrtPlaceHolderInfo* places,
                                                        size_t count) {
  return launch_from_host(handle, blocks, stream, config,
                          [&](Runtime& runtime, const Function& function, Block& block) {
                            if (const aclError code = take_block(function, args, bytes, block))
                              return code;
                            return place_data(runtime, places, count, block);
                          });
}

OPKIT_ACL_EXPORT aclError aclrtLaunchKernelWithArgsArray(void* handle, uint32_t blocks,
                                                         aclrtStream stream,
                                                         aclrtLaunchKernelCfg* config,
                                                         void** args) {
  return launch_from_host(handle, blocks, stream, config,
                          [&](Runtime&, const Function& function, Block& block) {
                            return take_values(function, args, block);
                          });
}
