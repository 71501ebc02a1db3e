// The folder of a package that a word on the command line names; archives are unpacked for a while.
#ifndef OPKIT_CLI_OPTIONS_PACKAGE_FOLDER_H_
#define OPKIT_CLI_OPTIONS_PACKAGE_FOLDER_H_

#include <filesystem>
#include <memory>
#include <string>

#include "opkit/build/project/scratch.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

struct PackageFolder {
  std::filesystem::path path;
  // Keeps the folder of an archive as long as this lives.
  std::shared_ptr<project::Scratch> unpacked;
};

// A path rather than an op's type: it exists or looks like one.
bool is_path(const std::string& word);

// Returns a package directory as it is, the one package of a built project, or what an archive
// (.opkg) holds.
Result<PackageFolder> open_package(const std::filesystem::path& path, Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_PACKAGE_FOLDER_H_
