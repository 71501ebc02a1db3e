#include "registry/package_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/base/digest.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr const char* kInstallWhole = "install the package again";

Error unsafe(const fs::path& path, const char* what) {
  return Error("OPK-INSTALL-005", fmt::format("{} is {}", path.string(), what),
               "a package holds plain files and directories only");
}

Status add_entry(const fs::directory_entry& entry, const fs::path& root, PackageTree& tree) {
  std::error_code code;
  const fs::file_status status = entry.symlink_status(code);
  const std::string name = entry.path().lexically_relative(root).generic_string();
  if (fs::is_symlink(status)) return unsafe(entry.path(), "a link");
  if (fs::is_directory(status)) return tree.folders.push_back(name), Status();
  if (!fs::is_regular_file(status)) return unsafe(entry.path(), "neither a file nor a directory");
  tree.files.push_back(name);
  return {};
}

Error undeclared(const fs::path& path, const Manifest& manifest) {
  return Error("OPK-PKG-011",
               fmt::format("{} is not listed in the manifest, so nothing vouches for it",
                           path.string()),
               "remove the file, or build the package again")
      .at(manifest.place(""));
}

Error missing(const fs::path& path, const Manifest& manifest) {
  return Error("OPK-PKG-001", fmt::format("the file {} is missing", path.string()), kInstallWhole)
      .at(manifest.place("files"));
}

Error changed(const fs::path& path, const std::string& found, const std::string& said,
              const Manifest& manifest) {
  return Error("OPK-PKG-002",
               fmt::format("the file {} was changed after the package was built: sha256 {}..., "
                           "the manifest says {}...",
                           path.string(), found.substr(0, 12), said.substr(0, 12)),
               kInstallWhole)
      .at(manifest.place("files"));
}

// A helper library is loaded like the library itself.
Errors check_helper(const fs::path& root, const FileEntry& entry, const Manifest& manifest) {
  const Result<ElfFacts> facts = read_elf_file(root / entry.file, ElfParts::kVersions);
  if (!facts && facts.error().is(Cause::kNoElf)) return {};  // a page, a picture
  if (!facts) return {facts.error()};
  return check_reach(*facts, entry.file, manifest.place("files"));
}

Errors check_file(const fs::path& root, const FileEntry& entry, const PackageTree& tree,
                  const Manifest& manifest) {
  const fs::path path = root / entry.file;
  if (!std::binary_search(tree.files.begin(), tree.files.end(), entry.file))
    return {missing(path, manifest)};
  const Result<std::string> digest = sha256_file(path);
  if (!digest) return {digest.error()};
  if (*digest != entry.sha256) return {changed(path, *digest, entry.sha256, manifest)};
  return check_helper(root, entry, manifest);
}

// Tells whether the entry stays in the package, of which the library lies in `folder`.
bool stays_inside(std::string entry, const fs::path& folder) {
  for (const std::string_view word : {"${ORIGIN}", "$ORIGIN"}) {
    if (!entry.starts_with(word)) continue;
    const std::string rest = entry.substr(word.size());
    if (rest.find('$') != std::string::npos || (!rest.empty() && rest[0] != '/')) return false;
    const fs::path path = fs::path(folder.string() + "/" + rest).lexically_normal();
    return path.is_relative() && !path.empty() && *path.begin() != "..";
  }
  return false;
}

Error reaches_out(const std::string& library, const std::string& what, const Location& where) {
  return Error("OPK-PKG-012",
               fmt::format("{} would load code from outside its package: {}", library, what),
               "link without a run path; put helper libraries into the package and name them by "
               "$ORIGIN")
      .at(where);
}

}  // namespace

Result<PackageTree> tree_of(const fs::path& root) {
  PackageTree tree{{}, {""}};
  std::error_code code;
  for (fs::recursive_directory_iterator it(root, code), end; !code && it != end;
       it.increment(code)) {
    OPKIT_CHECK(add_entry(*it, root, tree));
    if (tree.files.size() + tree.folders.size() > kMaxPackageFiles)
      return unsafe(it->path(), "past the file limit of a package");
  }
  if (code) {
    return Error("OPK-INSTALL-001",
                 fmt::format("cannot read {}: {}", root.string(), code.message()),
                 "name a package directory");
  }
  std::sort(tree.files.begin(), tree.files.end());
  std::sort(tree.folders.begin(), tree.folders.end());
  return tree;
}

Errors check_declared(const fs::path& root, const PackageTree& tree, const Manifest& manifest) {
  std::set<std::string> declared = {kManifestName, kSignatureName, manifest.contract_file,
                                    manifest.library_file};
  Errors errors;
  for (const FileEntry& entry : manifest.files) {
    declared.insert(entry.file);
    Errors found = check_file(root, entry, tree, manifest);
    errors.insert(errors.end(), found.begin(), found.end());
  }
  for (const std::string& file : tree.files)
    if (declared.count(file) == 0) errors.push_back(undeclared(root / file, manifest));
  return errors;
}

Errors check_reach(const ElfFacts& facts, const std::string& library, const Location& where) {
  Errors errors;
  const fs::path folder = fs::path(library).parent_path();
  for (const std::string& entry : facts.run_path) {
    if (!stays_inside(entry, folder))
      errors.push_back(reaches_out(library, fmt::format("run path '{}'", entry), where));
  }
  for (const std::string& name : facts.needed) {
    if (name.find('/') != std::string::npos)
      errors.push_back(reaches_out(library, fmt::format("it needs '{}' by its path", name), where));
  }
  for (const std::string& name : facts.also_loads)
    errors.push_back(reaches_out(library, fmt::format("'{}' is a filter or auditor", name), where));
  return errors;
}

}  // namespace opkit::registry
