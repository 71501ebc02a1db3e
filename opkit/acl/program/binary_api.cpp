// Binaries of the program: loading, their kernels, lists of arguments.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/base/program.h"
#include "opkit/acl/program/binary.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {
namespace {

Binary* find_binary(const void* handle) {
  Binary* const binary = binaries().find(handle);
  if (!binary) {
    fail(ACL_ERROR_RT_INVALID_HANDLE, "%p is no binary, or it was unloaded", handle);
  }
  return binary;
}

aclError add(std::unique_ptr<Object> object, aclrtBinHandle* handle) {
  std::unique_ptr<Binary> binary;
  if (const aclError code = Binary::make(program_soc(), std::move(object), binary)) return code;
  *handle = binaries().add(std::move(binary));
  return ACL_SUCCESS;
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

// Calls the member of the list that the handle names.
template <typename Call>
aclError with_arguments(aclrtArgsHandle handle, Call call) {
  const Lock lock;
  ArgumentList* const found = find_arguments(handle);
  return found ? call(*found) : ACL_ERROR_RT_INVALID_HANDLE;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtBinaryLoadFromFile(const char* path, aclrtBinaryLoadOptions* options,
                                                  aclrtBinHandle* handle) {
  const Lock lock;
  if (!path || !handle)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryLoadFromFile without a path or a handle");
  if (path[0] != '/') {
    return fail(ACL_ERROR_INVALID_PARAM,
                "'%s' is not absolute: a binary is loaded by a path that begins with /", path);
  }
  if (const aclError code = check_options(options)) return code;
  std::unique_ptr<Object> object;
  if (const aclError code = Object::from_file(path, object)) return code;
  return add(std::move(object), handle);
}

OPKIT_ACL_EXPORT aclError aclrtBinaryLoadFromData(const void* data, size_t bytes,
                                                  const aclrtBinaryLoadOptions* options,
                                                  aclrtBinHandle* handle) {
  const Lock lock;
  if (!data || bytes == 0 || !handle)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryLoadFromData without data or a handle");
  if (const aclError code = check_options(options)) return code;
  std::unique_ptr<Object> object;
  const std::string_view view(static_cast<const char*>(data), bytes);
  if (const aclError code = Object::from_bytes(view, object)) return code;
  return add(std::move(object), handle);
}

// Unloads the code of a binary: no stream runs it any more when it does.
OPKIT_ACL_EXPORT aclError aclrtBinaryUnLoad(aclrtBinHandle handle) {
  the_scheduler().wait_for_all();
  const Lock lock;
  if (!find_binary(handle)) return ACL_ERROR_RT_INVALID_HANDLE;
  return binaries().destroy(handle);
}

OPKIT_ACL_EXPORT aclError aclrtBinaryGetFunction(const aclrtBinHandle handle, const char* name,
                                                 aclrtFuncHandle* function) {
  const Lock lock;
  if (!name || !function)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryGetFunction without a name or a place");
  Binary* const binary = find_binary(handle);
  if (!binary) return ACL_ERROR_RT_INVALID_HANDLE;
  *function = binary->function(name);
  if (*function) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "the binary has no kernel %s, but: %s", name,
              binary->names().c_str());
}

OPKIT_ACL_EXPORT aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle handle, uint64_t entry,
                                                        aclrtFuncHandle* function) {
  const Lock lock;
  if (!function)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtBinaryGetFunctionByEntry without a place");
  Binary* const binary = find_binary(handle);
  if (!binary) return ACL_ERROR_RT_INVALID_HANDLE;
  const std::vector<Function*> found = binary->functions(entry);
  *function = found.size() == 1 ? found[0] : nullptr;
  if (*function) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "%zu kernels of the binary end in _%llu, one must: %s",
              found.size(), static_cast<unsigned long long>(entry), binary->names().c_str());
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsInit(aclrtFuncHandle handle, aclrtArgsHandle* list) {
  const Lock lock;
  if (!list) return fail(ACL_ERROR_INVALID_PARAM, "no place for the list of arguments");
  Binary* const owner = find_owner(handle);
  if (!owner) return ACL_ERROR_RT_INVALID_HANDLE;
  *list = owner->new_arguments(*owner->find_function(handle));
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsAppend(aclrtArgsHandle list, void* value, size_t bytes,
                                                aclrtParamHandle* handle) {
  return with_arguments(list,
                        [&](ArgumentList& args) { return args.append(value, bytes, handle); });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle list,
                                                           aclrtParamHandle* handle) {
  return with_arguments(list, [&](ArgumentList& args) { return args.append_placeholder(handle); });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle list,
                                                              aclrtParamHandle handle, size_t bytes,
                                                              void** buffer) {
  return with_arguments(
      list, [&](ArgumentList& args) { return args.placeholder_buffer(handle, bytes, buffer); });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle list, aclrtParamHandle handle,
                                                    void* value, size_t bytes) {
  return with_arguments(list,
                        [&](ArgumentList& args) { return args.update(handle, value, bytes); });
}

OPKIT_ACL_EXPORT aclError aclrtKernelArgsFinalize(aclrtArgsHandle list) {
  return with_arguments(list, [](ArgumentList& args) { return args.finish(); });
}
