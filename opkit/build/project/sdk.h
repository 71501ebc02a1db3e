// Where the running opkit finds its own files: installed under one prefix, or in the source tree of
// a development build (then `opkit_dev.yaml` lies beside the executable and says where).
#ifndef OPKIT_BUILD_PROJECT_SDK_H_
#define OPKIT_BUILD_PROJECT_SDK_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::project {

struct Sdk {
  std::filesystem::path executable;
  std::filesystem::path templates;  // a folder per template
  std::filesystem::path shared;     // parts that ops share: op_kernel, op_host
  std::filesystem::path cmake_dir;  // holds opkitConfig.cmake
  std::filesystem::path include;    // holds opkit/abi, opkit/include
  // Holds headers that only forward; empty when they lie in opkit/include.
  std::filesystem::path forwards = {};
  std::filesystem::path runtime;  // libopkit_acl.so, which stand-alone programs link
  std::filesystem::path python;   // the Python packages acl and opkit
  bool development = false;       // runs from a build tree
};

// Finds the SDK of the running program, or of another opkit. OPK-ENV-001 when the files are in
// neither place.
Result<Sdk> find_sdk();
Result<Sdk> find_sdk(const std::filesystem::path& executable);

// Changes when a header of the SDK does: a digest of their names, sizes and times.
std::string identity_of(const Sdk& sdk);

// Returns the compiler's words for the folders of the SDK's headers: "-isystem", a folder, ...
std::vector<std::string> header_words(const Sdk& sdk);

// The version of the kit: "0.1.0".
std::string kit_version();

// Returns a program on PATH, or empty.
std::filesystem::path find_program(const std::string& name);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_SDK_H_
