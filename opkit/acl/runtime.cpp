#include "opkit/acl/runtime.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "opkit_host/soc_table.h"

namespace opkit::acl {
namespace {

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

}  // namespace

Runtime& Runtime::instance() {
  static Runtime* runtime = new Runtime;
  return *runtime;
}

const opk_soc_v1& Runtime::soc() const {
  const opk_soc_v1* soc = program.table.soc ? find_soc(program.table.soc) : nullptr;
  return soc ? *soc : *find_soc("Ascend910B1");
}

Device& Runtime::device() {
  if (!device_) device_ = std::make_unique<Device>(soc());
  return *device_;
}

}  // namespace opkit::acl
