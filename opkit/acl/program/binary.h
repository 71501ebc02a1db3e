// Binary: the kernels of a loaded object; Function: one of them; ArgumentList: what it is
// launched with. The program holds them as handles, which are looked up before they are used.
#ifndef OPKIT_ACL_PROGRAM_BINARY_H_
#define OPKIT_ACL_PROGRAM_BINARY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/program/object.h"
#include "opkit_launch/program.h"

namespace opkit::acl {

class DeviceMemory;

struct Function {
  const opkit_binary_kernel_v1* kernel;
  const char* parameters;  // their names, "x,y,tiling"

  // Returns the bytes of the block of its arguments.
  uint32_t arguments_size() const;
};

class ArgumentList {
 public:
  explicit ArgumentList(const Function& function);

  const Function& function() const { return *function_; }
  bool finished() const { return finished_; }

  // param: host memory. The handle is valid as long as the list.
  aclError append(const void* param, size_t bytes, void** handle);
  aclError append_placeholder(void** handle);
  aclError placeholder_buffer(void* handle, size_t bytes, void** buffer);
  aclError update(void* handle, const void* param, size_t bytes);
  aclError finish();

  // The block, with every placeholder's bytes copied to device memory that lives as long as
  // `copies`.
  aclError block(DeviceMemory& device, std::vector<std::shared_ptr<void>>& copies,
                 std::vector<uint8_t>& bytes) const;

 private:
  struct Parameter {
    bool placeholder = false;
    std::vector<uint8_t> buffer;  // holds the bytes behind a placeholder
  };
  Parameter* find(void* handle) const;
  aclError next(size_t bytes, Parameter** added, void** handle);
  uint8_t* place(const Parameter& parameter);
  aclError wrong_size(size_t index, size_t bytes) const;

  const Function* function_;
  std::vector<uint8_t> bytes_;
  std::vector<std::unique_ptr<Parameter>> parameters_;
  bool finished_ = false;
};

class Binary {
 public:
  // 0 and the binary, or a code: the object is for another chip than `soc`.
  static aclError make(const opk_soc_v1& soc, std::unique_ptr<Object> object,
                       std::unique_ptr<Binary>& binary);
  Binary(const Binary&) = delete;
  Binary& operator=(const Binary&) = delete;

  Function* function(const std::string& name);  // nullptr: there is none
  // Returns the functions whose name ends in an underscore and this number.
  std::vector<Function*> functions(uint64_t entry);
  std::string names() const;  // lists the names of its kernels, for messages
  ArgumentList* new_arguments(const Function& function);
  const Function* find_function(const void* handle) const;  // nullptr: not one of this binary
  ArgumentList* find_arguments(const void* handle) const;

 private:
  explicit Binary(std::unique_ptr<Object> object);

  std::unique_ptr<Object> object_;
  std::vector<Function> functions_;
  std::vector<std::unique_ptr<ArgumentList>> arguments_;
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<Binary>& binaries();
// Returns the binary that a kernel belongs to; nullptr: none's, and the text says so. REQUIRES: the
// same.
Binary* find_owner(const void* function);
// Find a kernel, and a list of arguments, of any binary; nullptr: there is none, and the text says
// so. REQUIRE: the same.
const Function* find_function(const void* handle);
ArgumentList* find_arguments(const void* handle);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_PROGRAM_BINARY_H_
