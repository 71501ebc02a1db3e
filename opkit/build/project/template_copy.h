// Making an op project from a template folder: file names and texts carry placeholders.
#ifndef OPKIT_BUILD_PROJECT_TEMPLATE_COPY_H_
#define OPKIT_BUILD_PROJECT_TEMPLATE_COPY_H_

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::project {

// What replaces @OP@, @op@, @OP_UPPER@ and @VENDOR@.
struct TemplateNames {
  std::string op;     // CamelCase
  std::string snake;  // names files, the kernel function and the folder
  std::string vendor;

  std::string replace(std::string text) const;
};

// OPK-NEW-001 with a suggestion: no CamelCase name, or one whose snake_case form cannot name a C
// function (a keyword, a libc function).
Result<TemplateNames> names_for(const std::string& op, const std::string& vendor);

// Folders in `root`, sorted.
std::vector<std::string> template_names(const std::filesystem::path& root);

// Returns what the template's op computes, in a line: the doc of its contract. Empty: it says
// nothing.
std::string template_summary(const std::filesystem::path& folder);

// Copies `from` to the new directory `to`, with the parts of `shared` that it includes, so that the
// project is complete by itself. `to` appears complete or not at all. `instead`: texts, by path in
// the project, that take the place of the template's, or that it does not have. The paths relative
// to `to`, sorted.
// OPK-NEW-003 `to` exists, -004 it cannot be written, -005 the template has a placeholder that
// nobody replaces.
Result<std::vector<std::string>> copy_template(
    const std::filesystem::path& from, const std::filesystem::path& shared,
    const std::filesystem::path& to, const TemplateNames& names,
    const std::map<std::string, std::string>& instead = {});

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_TEMPLATE_COPY_H_
