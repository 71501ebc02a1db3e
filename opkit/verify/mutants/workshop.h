// Workshop: a copy of an op's project in which one source at a time is changed and built.
#ifndef OPKIT_VERIFY_MUTANTS_WORKSHOP_H_
#define OPKIT_VERIFY_MUTANTS_WORKSHOP_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/project/cmake_build.h"

namespace opkit::verify {

class MutantWorkshop {
 public:
  // contract: of the op, in its project's folder; other ops of a family are left out of the copy.
  // shared: parts that ops share, as in the SDK; empty: the project has all that it includes.
  // `work` is a scratch folder; it is kept, so that a next run builds faster.
  MutantWorkshop(std::filesystem::path contract, const std::filesystem::path& cmake_dir,
                 std::filesystem::path shared, const std::filesystem::path& work);

  // Copies the project and the shared parts that it includes. OPK-VERIFY-050: cannot copy.
  Status copy();

  // REQUIRES: copy(). Configures and builds the copy unchanged. OPK-VERIFY-051: does not build.
  Status prepare();

  // Returns the op's sources in a folder of the copy, and what they include of it, relative to the
  // copy, in order.
  std::vector<std::filesystem::path> sources(const std::string& folder) const;
  // Returns the unchanged text of one of them.
  Result<std::string> text(const std::filesystem::path& file) const;

  // Builds with one file replaced. The next call replaces another one: files that an earlier call
  // replaced are themselves again.
  Status build_with(const std::filesystem::path& file, const std::string& text);

  // Builds with no file replaced.
  Status build_unchanged();

  std::filesystem::path package() const;
  // SHA-256 of the plugin's code and data, without debug information; empty when unknown.
  std::string code_digest() const;

 private:
  Status restore();
  Status build();
  Status copy_project() const;
  bool of_another_op(const std::filesystem::path& file) const;

  std::filesystem::path contract_, project_, shared_, copy_;
  project::BuildPlan plan_;
  std::filesystem::path replaced_;  // relative; empty: none
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_WORKSHOP_H_
