#include "opkit/verify/mutants/workshop.h"

#include <fmt/format.h>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/base/process/child.h"
#include "opkit/build/project/contract_files.h"
#include "opkit/build/project/plain_project.h"
#include "opkit/build/project/shared_parts.h"

namespace opkit::verify {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kBuildTime{600}, kStripTime{60};

}  // namespace

MutantWorkshop::MutantWorkshop(fs::path contract, const fs::path& cmake_dir, fs::path shared,
                               const fs::path& work)
    : contract_(std::move(contract)),
      project_(fs::absolute(contract_).parent_path().lexically_normal()),
      shared_(std::move(shared)),
      copy_(work / "project" / project_.filename()) {  // a family's name says which files it has
  plan_.project = plan_.source = copy_;
  plan_.build = work / "build";
  plan_.sdk.cmake_dir = cmake_dir;
  plan_.time_limit = kBuildTime;
}

Status MutantWorkshop::copy_project() const {
  std::error_code failure;
  fs::create_directories(copy_, failure);
  std::vector<fs::path> wanted;
  for (fs::directory_iterator at(project_, failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().filename() != "build") wanted.push_back(at->path());
  }
  for (const fs::path& each : project::contracts_of(project_)) {
    if (each.filename() != contract_.filename()) std::erase(wanted, each);
  }
  for (const fs::path& from : wanted) {
    const fs::path to = copy_ / from.filename();
    fs::remove_all(to, failure);
    if (!failure) fs::copy(from, to, fs::copy_options::recursive, failure);
    if (failure) break;
  }
  if (!failure) return {};
  return Error(
      "OPK-VERIFY-050",
      fmt::format("cannot copy {} to {}: {}", project_.string(), copy_.string(), failure.message()),
      "choose a scratch folder that can be written");
}

Status MutantWorkshop::copy() {
  OPKIT_CHECK(copy_project());
  if (project::is_plain_project(copy_)) {
    plan_.source = plan_.build / "project";
    OPKIT_CHECK(project::write_plain_project(copy_, plan_.source, ""));
  }
  if (shared_.empty()) return {};
  const auto parts = project::add_shared_parts(shared_, copy_);
  return parts.ok() ? Status() : parts.error();
}

Status MutantWorkshop::prepare() {
  std::string log;
  const Status configured = project::configure(plan_, log);
  const Status built = configured.ok() ? build() : configured;
  if (built.ok()) return {};
  return Error("OPK-VERIFY-051", "the unchanged op does not build: " + built.error().message,
               "build it with opkit build first");
}

Status MutantWorkshop::build() {
  std::string log;
  project::BuildEvents silent;
  return project::compile(plan_, "", silent, log);
}

// Tells whether a .cpp is named like another op of the family.
bool MutantWorkshop::of_another_op(const fs::path& file) const {
  for (const fs::path& each : project::contracts_of(project_)) {
    const bool other = each.filename() != contract_.filename();
    if (other && file.filename() == project::package_name(each) + ".cpp") return true;
  }
  return false;
}

fs::path MutantWorkshop::package() const {
  return plan_.build / "package" / project::package_name(contract_);
}

std::vector<fs::path> MutantWorkshop::sources(const std::string& folder) const {
  std::vector<fs::path> own;
  std::error_code failure;
  for (const char* each : {"op_kernel", "op_host"}) {
    for (fs::directory_iterator at(copy_ / each, failure), end; !failure && at != end;
         at.increment(failure)) {
      if (at->path().extension() == ".cpp" && !of_another_op(at->path()))
        own.push_back(fs::path(each) / at->path().filename());
    }
  }
  std::vector<fs::path> files = project::with_includes(copy_, std::move(own));
  std::erase_if(files, [&](const fs::path& file) { return *file.begin() != folder; });
  return files;
}

Result<std::string> MutantWorkshop::text(const fs::path& file) const {
  std::error_code ignored;
  return read_file((fs::exists(project_ / file, ignored) ? project_ : shared_) / file);
}

Status MutantWorkshop::restore() {
  if (replaced_.empty()) return {};
  OPKIT_TRY(const std::string original, this->text(replaced_));
  OPKIT_CHECK(write_file(copy_ / replaced_, original));
  replaced_.clear();
  return {};
}

Status MutantWorkshop::build_unchanged() {
  OPKIT_CHECK(restore());
  return build();
}

Status MutantWorkshop::build_with(const fs::path& file, const std::string& text) {
  if (replaced_ != file) OPKIT_CHECK(restore());
  replaced_ = file;
  OPKIT_CHECK(write_file(copy_ / file, text));
  return build();
}

std::string MutantWorkshop::code_digest() const {
  std::error_code failure;
  for (fs::directory_iterator at(package() / "op_impl", failure), end; !failure && at != end;
       at.increment(failure)) {
    if (at->path().extension() != ".so") continue;
    const fs::path stripped = plan_.build / "stripped.so";
    const auto done =
        run_program({"objcopy", "--strip-debug", "--remove-section=.note.gnu.build-id",
                     at->path().string(), stripped.string()},
                    {.on_line = {}, .time_limit = kStripTime});
    const auto digest =
        done.ok() && done->ok() ? sha256_file(stripped) : Result<std::string>(std::string());
    return digest.ok() ? *digest : std::string();
  }
  return {};
}

}  // namespace opkit::verify
