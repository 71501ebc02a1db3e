#include "opkit/acl/program/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/acl/device/memory_pool.h"

namespace opkit::acl {

uint32_t Function::arguments_size() const {
  if (kernel->parameter_count == 0) return 0;
  const opkit_parameter_v1& last = kernel->parameters[kernel->parameter_count - 1];
  return last.offset + last.size;
}

ArgumentList::ArgumentList(const Function& function)
    : function_(&function), bytes_(function.arguments_size()) {}

ArgumentList::Parameter* ArgumentList::find(void* handle) const {
  for (const std::unique_ptr<Parameter>& one : parameters_) {
    if (one.get() == handle) return one.get();
  }
  fail(ACL_ERROR_RT_INVALID_HANDLE, "%p is no parameter of this list of arguments", handle);
  return nullptr;
}

aclError ArgumentList::wrong_size(size_t index, size_t bytes) const {
  return fail(ACL_ERROR_INVALID_PARAM, "parameter %zu of kernel %s has %u bytes, not %zu",
              index + 1, function_->kernel->name, function_->kernel->parameters[index].size, bytes);
}

aclError ArgumentList::next(size_t bytes, Parameter** added, void** handle) {
  const opkit_binary_kernel_v1& kernel = *function_->kernel;
  const size_t index = parameters_.size();
  if (!handle) return fail(ACL_ERROR_INVALID_PARAM, "no place for the parameter's handle");
  if (finished_) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtKernelArgsFinalize has ended this list");
  }
  if (index == kernel.parameter_count) {
    return fail(ACL_ERROR_INVALID_PARAM, "kernel %s takes no more than %u parameters", kernel.name,
                kernel.parameter_count);
  }
  if (bytes != kernel.parameters[index].size) return wrong_size(index, bytes);
  *added = parameters_.emplace_back(std::make_unique<Parameter>()).get();
  *handle = *added;
  return ACL_SUCCESS;
}

uint8_t* ArgumentList::place(const Parameter& parameter) {
  size_t index = 0;
  while (parameters_[index].get() != &parameter) ++index;
  return bytes_.data() + function_->kernel->parameters[index].offset;
}

aclError ArgumentList::append(const void* param, size_t bytes, void** handle) {
  if (!param) return fail(ACL_ERROR_INVALID_PARAM, "aclrtKernelArgsAppend without a value");
  Parameter* added = nullptr;
  if (const aclError code = next(bytes, &added, handle)) return code;
  std::memcpy(place(*added), param, bytes);
  return ACL_SUCCESS;
}

aclError ArgumentList::append_placeholder(void** handle) {
  Parameter* added = nullptr;
  if (const aclError code = next(sizeof(void*), &added, handle)) return code;
  added->placeholder = true;
  return ACL_SUCCESS;
}

aclError ArgumentList::placeholder_buffer(void* handle, size_t bytes, void** buffer) {
  Parameter* const parameter = find(handle);
  if (!parameter) return ACL_ERROR_RT_INVALID_HANDLE;
  if (!buffer || bytes == 0) return fail(ACL_ERROR_INVALID_PARAM, "no place or no bytes");
  if (!parameter->placeholder) {
    return fail(ACL_ERROR_INVALID_PARAM, "the parameter was appended with its value");
  }
  if (!parameter->buffer.empty()) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "the placeholder has its %zu bytes already",
                parameter->buffer.size());
  }
  parameter->buffer.resize(bytes);
  *buffer = parameter->buffer.data();
  return ACL_SUCCESS;
}

aclError ArgumentList::update(void* handle, const void* param, size_t bytes) {
  Parameter* const parameter = find(handle);
  if (!parameter) return ACL_ERROR_RT_INVALID_HANDLE;
  if (!param || parameter->placeholder) {
    return fail(ACL_ERROR_INVALID_PARAM, "only a parameter that was appended with a value has one");
  }
  size_t index = 0;
  while (parameters_[index].get() != parameter) ++index;
  if (bytes != function_->kernel->parameters[index].size) return wrong_size(index, bytes);
  std::memcpy(place(*parameter), param, bytes);
  return ACL_SUCCESS;
}

aclError ArgumentList::finish() {
  const opkit_binary_kernel_v1& kernel = *function_->kernel;
  if (parameters_.size() != kernel.parameter_count) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "kernel %s takes %u parameters, %zu were appended",
                kernel.name, kernel.parameter_count, parameters_.size());
  }
  finished_ = true;
  return ACL_SUCCESS;
}

aclError ArgumentList::block(DeviceMemory& device, std::vector<std::shared_ptr<void>>& copies,
                             std::vector<uint8_t>& bytes) const {
  bytes = bytes_;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Parameter& one = *parameters_[i];
    if (!one.placeholder) continue;
    if (one.buffer.empty()) {
      return fail(ACL_ERROR_RT_PARAM_INVALID,
                  "parameter %zu has no bytes: call aclrtKernelArgsGetPlaceHolderBuffer", i + 1);
    }
    void* memory = nullptr;
    if (const aclError code = device.allocate(&memory, one.buffer.size(), 0)) return code;
    copies.emplace_back(memory, [&device](void* mine) { device.release(mine, nullptr); });
    std::memcpy(memory, one.buffer.data(), one.buffer.size());
    std::memcpy(bytes.data() + function_->kernel->parameters[i].offset, &memory, sizeof memory);
  }
  return ACL_SUCCESS;
}

Binary::Binary(std::unique_ptr<Object> object) : object_(std::move(object)) {
  const opkit_binary_v1& table = object_->table();
  for (uint32_t i = 0; i < table.kernel_count; ++i)
    functions_.push_back({&table.kernels[i], table.parameters[i]});
}

aclError Binary::make(const opk_soc_v1& soc, std::unique_ptr<Object> object,
                      std::unique_ptr<Binary>& binary) {
  if (std::strcmp(object->table().soc, soc.name) != 0) {
    return fail(ACL_ERROR_INVALID_FILE, "%s is for %s, the program for %s: give both one --soc",
                object->name().c_str(), object->table().soc, soc.name);
  }
  binary.reset(new Binary(std::move(object)));
  return ACL_SUCCESS;
}

Function* Binary::function(const std::string& name) {
  for (Function& one : functions_) {
    if (name == one.kernel->name) return &one;
  }
  return nullptr;
}

std::vector<Function*> Binary::functions(uint64_t entry) {
  const std::string ending = fmt::format("_{}", entry);
  std::vector<Function*> found;
  for (Function& one : functions_) {
    const std::string name = one.kernel->name;
    if (name.size() > ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
      found.push_back(&one);
    }
  }
  return found;
}

std::string Binary::names() const {
  std::string names;
  for (const Function& one : functions_)
    names += (names.empty() ? "" : ", ") + std::string(one.kernel->name);
  return names;
}

ArgumentList* Binary::new_arguments(const Function& function) {
  return arguments_.emplace_back(std::make_unique<ArgumentList>(function)).get();
}

const Function* Binary::find_function(const void* handle) const {
  for (const Function& one : functions_) {
    if (&one == handle) return &one;
  }
  return nullptr;
}

ArgumentList* Binary::find_arguments(const void* handle) const {
  for (const std::unique_ptr<ArgumentList>& one : arguments_) {
    if (one.get() == handle) return one.get();
  }
  return nullptr;
}

HandleTable<Binary>& binaries() {
  static HandleTable<Binary>& all = *new HandleTable<Binary>("binary");
  return all;
}

Binary* find_owner(const void* function) {
  Binary* owner = nullptr;
  binaries().each([&](Binary& binary) {
    if (binary.find_function(function)) owner = &binary;
  });
  if (!owner) {
    fail(ACL_ERROR_RT_INVALID_HANDLE,
         "%p is no kernel of a binary that is loaded; ask aclrtBinaryGetFunction for it", function);
  }
  return owner;
}

const Function* find_function(const void* handle) {
  const Binary* const owner = find_owner(handle);
  return owner ? owner->find_function(handle) : nullptr;
}

ArgumentList* find_arguments(const void* handle) {
  ArgumentList* arguments = nullptr;
  binaries().each([&](Binary& binary) {
    if (ArgumentList* const found = binary.find_arguments(handle)) arguments = found;
  });
  if (!arguments) {
    fail(ACL_ERROR_RT_INVALID_HANDLE, "%p is no list of arguments, or its binary was unloaded",
         handle);
  }
  return arguments;
}

}  // namespace opkit::acl
