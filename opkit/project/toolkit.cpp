#include "opkit/project/toolkit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "opkit/base/file.h"

namespace opkit::project {
namespace {

namespace fs = std::filesystem;

// The libraries that applications link; one holds them all.
constexpr const char* kLibraries[] = {"libascendcl.so", "libnnopbase.so", "libopapi.so",
                                      "libacl_op_compiler.so", "libruntime.so"};

// Of bash and zsh; what is set already stays in front of it.
constexpr const char* kEnvironment =
    R"sh(# Makes programs and build files find this toolkit: source it.
_toolkit=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
export ASCEND_TOOLKIT_HOME="$_toolkit" ASCEND_HOME_PATH="$_toolkit"
export ASCEND_OPP_PATH="${ASCEND_OPP_PATH:-$_toolkit/opp}"
export PATH="$_toolkit/bin${PATH:+:$PATH}"
export LD_LIBRARY_PATH="$_toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset _toolkit
)sh";

Error not_written(const fs::path& folder, const std::string& why) {
  return Error("OPK-TOOLKIT-002", fmt::format("cannot write {}: {}", folder.string(), why),
               "name a folder that can be written");
}

Status fill(const Sdk& sdk, const std::vector<NnHeader>& headers, const fs::path& folder) {
  for (const char* part : {"include/aclnnop", "lib64", "bin", "opp/vendors"})
    fs::create_directories(folder / part);
  for (const char* part : {"acl", "aclnn", "opkit_launch"})
    fs::create_directory_symlink(fs::absolute(sdk.include / "opkit/include" / part),
                                 folder / "include" / part);
  const fs::path library = fs::absolute(sdk.runtime);
  fs::create_symlink(library, folder / "lib64" / library.filename());
  for (const char* name : kLibraries) fs::create_symlink(library, folder / "lib64" / name);
  for (const char* name : {"opkit", "atc"})
    fs::create_symlink(fs::absolute(sdk.executable).parent_path() / name, folder / "bin" / name);
  for (const NnHeader& header : headers)
    OPKIT_CHECK(write_file(folder / "include/aclnnop" / header.name, header.text));
  return write_file(folder / "set_env.sh", kEnvironment);
}

}  // namespace

Status write_toolkit(const Sdk& sdk, const std::vector<NnHeader>& headers, const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(folder, failed) && !fs::is_empty(folder, failed))
    return Error("OPK-TOOLKIT-001", folder.string() + " is there already",
                 "name a new folder, or an empty one");
  const fs::path made = folder.string() + fmt::format(".new{}", getpid());
  Status filled;
  try {
    filled = fill(sdk, headers, made);
    if (filled.ok()) fs::rename(made, folder);
  } catch (const fs::filesystem_error& error) {
    filled = not_written(folder, error.code().message());
  }
  if (!filled.ok()) fs::remove_all(made, failed);
  return filled;
}

}  // namespace opkit::project
