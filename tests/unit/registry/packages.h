// Packages for the cases: real shared libraries with manifests that the cases may spoil.
#ifndef OPKIT_TESTS_UNIT_REGISTRY_PACKAGES_H_
#define OPKIT_TESTS_UNIT_REGISTRY_PACKAGES_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "registry/host.h"
#include "registry/manifest.h"
#include "registry/vendor_layout.h"

namespace opkit::registry {

// A directory that is removed with its contents.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& place = std::filesystem::temp_directory_path());
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::filesystem::path fake_plugin(const std::string& name);

struct PackageSpec {
  std::string vendor = "acme";
  std::string op = "AddRelu";
  std::string version = "1.0.0";
  std::string plugin = "good";
  std::string lies = "shape: \"N\", format: ND";  // both tensors, as the plugin's contract says it
  std::string behind{};                   // the library: makes another one of the same plugin
  std::function<void(Manifest&)> edit{};  // before the manifest is written
};

// Writes a whole package into `root` without asking the library; returns root.
std::filesystem::path write_package(const std::filesystem::path& root,
                                    const PackageSpec& spec = {});
// Writes the package at its place in an OPP; load_priority is left alone.
std::filesystem::path write_installed(const std::filesystem::path& opp,
                                      const PackageSpec& spec = {});

// Lists the files that are in the package now, as the build does.
void declare_files(const std::filesystem::path& root);

void write_text(const std::filesystem::path& path, const std::string& text);
std::string read_text(const std::filesystem::path& path);
// Relative path and contents of everything under root, for before/after comparisons.
std::string snapshot(const std::filesystem::path& root);

// Makes a header that names the versions of its ops, a line each, and a link that leads nowhere.
LayoutMaker test_layout_maker();

// The real host, found out once per process.
const HostFacts& this_host();

// A folder of its own and an OPP in it for each case.
class OppTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path opp_ = folder_.path() / "opp";
};

}  // namespace opkit::registry

#endif  // OPKIT_TESTS_UNIT_REGISTRY_PACKAGES_H_
