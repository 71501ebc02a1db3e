#include "opkit/acl/program/object.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "opkit/acl/base/error.h"
#include "opkit/base/file.h"
#include "registry/elf.h"

namespace opkit::acl {
namespace {

constexpr char kTable[] = "opkit_binary";
constexpr size_t kMostBytes = size_t{800} << 20;  // is the limit for packages' libraries, too

aclError foreign(const std::string& name) {
  return fail(ACL_ERROR_INVALID_FILE, "%s was not built by opkit cc --kernels of this version",
              name.c_str());
}

// Nothing is loaded that a reading of the bytes does not show to be an object of kernels.
aclError judge(std::string_view bytes, const std::string& name) {
  if (bytes.size() > kMostBytes) {
    return fail(ACL_ERROR_INVALID_FILE, "%s has %zu bytes; an object of kernels has at most %zu",
                name.c_str(), bytes.size(), kMostBytes);
  }
  const auto facts = registry::read_elf(bytes, name);
  if (!facts) {
    return fail(ACL_ERROR_INVALID_FILE, "no kernels can be loaded: %s",
                facts.error().message.c_str());
  }
  return facts->exports(kTable) ? ACL_SUCCESS : foreign(name);
}

}  // namespace

aclError Object::from_file(const std::string& path, std::unique_ptr<Object>& object) {
  const auto bytes = read_file(path, kMostBytes);
  if (!bytes) {
    return fail(ACL_ERROR_INVALID_FILE, "no kernels can be loaded: %s",
                bytes.error().message.c_str());
  }
  if (const aclError code = judge(*bytes, path)) return code;
  std::unique_ptr<Object> made(new Object(path));
  if (const aclError code = made->open(path)) return code;
  object = std::move(made);
  return ACL_SUCCESS;
}

aclError Object::from_bytes(std::string_view bytes, std::unique_ptr<Object>& object) {
  std::unique_ptr<Object> made(new Object("the data"));
  if (const aclError code = judge(bytes, made->name_)) return code;
  if (const aclError code = made->keep(bytes)) return code;
  if (const aclError code = made->open("/proc/self/fd/" + std::to_string(made->memory_)))
    return code;
  object = std::move(made);
  return ACL_SUCCESS;
}

// Memory that has a path: no folder needs to be writable, and nothing can stay behind.
aclError Object::keep(std::string_view bytes) {
  memory_ = memfd_create("opkit_kernels", MFD_CLOEXEC);
  size_t written = 0;
  while (memory_ != -1 && written < bytes.size()) {
    const ssize_t now = write(memory_, bytes.data() + written, bytes.size() - written);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) break;
    written += static_cast<size_t>(now);
  }
  if (written == bytes.size()) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for %zu bytes of kernels: %s",
              bytes.size(), std::strerror(errno));
}

aclError Object::open(const std::string& path) {
  path_ = path;
  handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle_) {
    const char* const reason = dlerror();
    return fail(ACL_ERROR_INVALID_FILE, "no kernels can be loaded: %s", reason ? reason : "?");
  }
  table_ = static_cast<const opkit_binary_v1*>(dlsym(handle_, kTable));
  if (!table_ || table_->struct_size != sizeof *table_) return foreign(name_);
  return ACL_SUCCESS;
}

// The loader tells objects apart by their paths. One that it keeps (DF_1_NODELETE, destructors of
// other threads) keeps its descriptor, or the next object would be taken for it.
Object::~Object() {
  if (handle_) dlclose(handle_);
  if (memory_ == -1) return;
  void* const kept = path_.empty() ? nullptr : dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!kept) {
    close(memory_);
    return;
  }
  dlclose(kept);
}

}  // namespace opkit::acl
