#include "opkit/build/project/toolkit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "opkit/base/file.h"

namespace opkit::project {
namespace {

namespace fs = std::filesystem;

// The libraries that applications link: one holds the runtime, one pictures, one the front end of
// graphs.
constexpr const char* kLibraries[] = {
    "libascendcl.so", "libacl_cblas.so", "libnnopbase.so", "libopapi.so", "libacl_op_compiler.so",
    "libruntime.so", "libtiling_api.so", "libregister.so", "libplatform.so", "libc_sec.so",
    "liberror_manager.so",
    // Named by build files of samples; nothing of them is called.
    "libunified_dlog.so", "libascendalog.so", "libalog.so", "libmmpa.so", "libmsprofiler.so",
    "libascend_dump.so", "libascend_hal.so"};
constexpr const char* kMediaLibraries[] = {"libacl_dvpp.so", "libacl_dvpp_mpi.so"};
constexpr const char* kGraphLibraries[] = {"libge_compiler.so", "libgraph.so", "libgraph_base.so",
                                           "libge_runner.so", "libexe_graph.so"};

// Where build files look for find_package(ASC), for ascendc.cmake and for find_package(tikicpulib).
constexpr const char* kCmakeFolders[] = {
    "lib/cmake/ASC", "tools/tikcpp/ascendc_kernel_cmake", "compiler/tikcpp/ascendc_kernel_cmake",
    "lib/cmake/tikicpulib", "tools/tikicpulib/lib/cmake/tikicpulib"};

// The parts of older toolkits, each with headers and libraries of its own: build files name
// $DDK_PATH/runtime/include, and $DDK_PATH/runtime/lib64/stub to link against.
constexpr const char* kOlderParts[] = {"runtime", "compiler", "atc", "acllib"};

// Sets bash and zsh up; what is set already stays in front of it.
constexpr const char* kEnvironment =
    R"sh(# Makes programs and build files find this toolkit: source it.
_toolkit=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
export ASCEND_TOOLKIT_HOME="$_toolkit" ASCEND_HOME_PATH="$_toolkit"
export ASCEND_OPP_PATH="${ASCEND_OPP_PATH:-$_toolkit/opp}"
export CMAKE_PREFIX_PATH="$_toolkit${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}"
export PATH="$_toolkit/bin${PATH:+:$PATH}"
export PYTHONPATH="$_toolkit/python/site-packages${PYTHONPATH:+:$PYTHONPATH}"
export LD_LIBRARY_PATH="$_toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset _toolkit
)sh";

Error not_written(const fs::path& folder, const std::string& why) {
  return Error("OPK-TOOLKIT-002", fmt::format("cannot write {}: {}", folder.string(), why),
               "name a folder that can be written");
}

// Finds a program by its own name and by those of the vendor's.
template <size_t kCount>
void link_library(const fs::path& library, const char* const (&names)[kCount],
                  const fs::path& folder) {
  for (const char* part : {"lib64", "lib64/stub"}) {
    fs::create_symlink(library, folder / part / library.filename());
    for (const char* name : names) fs::create_symlink(library, folder / part / name);
  }
}

void link_older_parts(const fs::path& folder) {
  for (const char* part : kOlderParts) {
    fs::create_directories(folder / part);
    for (const char* inner : {"include", "lib64"})
      fs::create_directory_symlink(fs::path("..") / inner, folder / part / inner);
  }
}

Status fill(const Sdk& sdk, const OpHeaders& headers, const fs::path& folder) {
  for (const char* part :
       {"include/aclnnop", "include/opkit", "lib64/stub", "bin", "opp/vendors", "python"})
    fs::create_directories(folder / part);
  for (const char* part : {"acl", "aclnn", "opkit_app", "opkit_launch", "graph", "ge", "all_ops.h"})
    fs::create_symlink(fs::absolute(sdk.include / "opkit/include" / part),
                       folder / "include" / part);
  fs::create_symlink(fs::absolute(sdk.include / "opkit/abi"), folder / "include/opkit/abi");
  for (const char* part : kCmakeFolders) {
    fs::create_directories((folder / part).parent_path());
    fs::create_directory_symlink(fs::absolute(sdk.cmake_dir / "asc"), folder / part);
  }
  link_older_parts(folder);
  const fs::path library = fs::absolute(sdk.runtime);
  link_library(library, kLibraries, folder);
  link_library(library.parent_path() / "libopkit_media.so", kMediaLibraries, folder);
  link_library(library.parent_path() / "libopkit_ge.so", kGraphLibraries, folder);
  fs::create_directory_symlink(fs::absolute(sdk.python), folder / "python/site-packages");
  for (const char* name : {"opkit", "atc", "npu-smi", "msopgen"})
    fs::create_symlink(fs::absolute(sdk.executable).parent_path() / name, folder / "bin" / name);
  OPKIT_CHECK(write_file(folder / "include/op_proto.h", headers.op_proto));
  for (const NnHeader& header : headers.calls)
    OPKIT_CHECK(write_file(folder / "include/aclnnop" / header.name, header.text));
  return write_file(folder / "set_env.sh", kEnvironment);
}

// Tells whether the folder was made here: its atc is a link to the SDK's.
bool is_toolkit(const fs::path& folder) {
  std::error_code failed;
  return fs::is_symlink(folder / "bin" / "atc", failed) &&
         fs::exists(folder / "set_env.sh", failed);
}

// Ops that were installed into an earlier one stay; when something fails, so does all of it.
void put_in_place(const fs::path& made, const fs::path& folder, bool filled_before) {
  if (!filled_before) return fs::rename(made, folder);
  const fs::path old = folder.string() + fmt::format(".old{}", getpid());
  fs::rename(folder, old);
  std::error_code failed;
  fs::rename(made, folder, failed);
  if (failed) {
    fs::rename(old, folder);
    throw fs::filesystem_error("rename", made, folder, failed);
  }
  fs::remove_all(folder / "opp");
  fs::rename(old / "opp", folder / "opp");
  fs::remove_all(old);
}

}  // namespace

Status write_toolkit(const Sdk& sdk, const OpHeaders& headers, const fs::path& folder) {
  std::error_code failed;
  const bool filled_before = fs::exists(folder, failed) && !fs::is_empty(folder, failed);
  if (filled_before && !is_toolkit(folder))
    return Error("OPK-TOOLKIT-001", folder.string() + " is there already, and is no toolkit",
                 "name a new folder, an empty one, or a toolkit to bring up to date");
  const fs::path made = folder.string() + fmt::format(".new{}", getpid());
  Status filled;
  try {
    filled = fill(sdk, headers, made);
    if (filled.ok()) put_in_place(made, folder, filled_before);
  } catch (const fs::filesystem_error& error) {
    filled = not_written(folder, error.code().message());
  }
  if (!filled.ok()) fs::remove_all(made, failed);
  return filled;
}

}  // namespace opkit::project
