#include "opkit/base/process/own_executable.h"

#include <sys/auxv.h>

namespace opkit {

std::filesystem::path own_executable() {
  std::error_code failure;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (!failure) return program;
  const auto* run = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  program = run ? std::filesystem::canonical(run, failure) : std::filesystem::path();
  return failure ? std::filesystem::path() : program;
}

}  // namespace opkit
