// Object: what `opkit cc --kernels` built, loaded from a file or from bytes in memory. It is read
// and judged before the dynamic loader sees it, so that no constructor of something else runs.
#ifndef OPKIT_ACL_PROGRAM_OBJECT_H_
#define OPKIT_ACL_PROGRAM_OBJECT_H_

#include <memory>
#include <string>
#include <string_view>

#include "acl/acl.h"
#include "opkit_launch/program.h"

namespace opkit::acl {

class Object {
 public:
  // 0 and the object, or a code; then nothing of it is left.
  static aclError from_file(const std::string& path, std::unique_ptr<Object>& object);
  // bytes: copied.
  static aclError from_bytes(std::string_view bytes, std::unique_ptr<Object>& object);
  ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const std::string& name() const { return name_; }  // returns the name for messages
  const opkit_binary_v1& table() const { return *table_; }

 private:
  explicit Object(std::string name) : name_(std::move(name)) {}
  aclError keep(std::string_view bytes);
  aclError open(const std::string& path);

  std::string name_;
  std::string path_;        // names the file as the loader knows it
  int memory_ = -1;         // holds memfd_create's descriptor of an object that came as bytes
  void* handle_ = nullptr;  // is the handle that dlopen gave
  const opkit_binary_v1* table_ = nullptr;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_PROGRAM_OBJECT_H_
