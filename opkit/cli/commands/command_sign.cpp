#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/package_folder.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"
#include "registry/archive.h"
#include "registry/package_form.h"
#include "registry/signature.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

// An earlier signature of other bytes is no reason to refuse: it is replaced.
Result<registry::Package> intact_package(const fs::path& root) {
  registry::PackageCheck check =
      registry::check_package(root, registry::HostFacts::of_this_process());
  for (const registry::PackageFinding& finding : check.findings)
    if (!finding.error.is(Cause::kSignature)) return finding.error;
  return std::move(check.package);
}

Outcome run_sign(const Arguments& arguments, Console& console) {
  const fs::path given = arguments.get("package");
  OPKIT_TRY(const PackageFolder folder, open_package(given, console));
  OPKIT_TRY(const registry::Package package, intact_package(folder.path));
  OPKIT_TRY(const std::string text, signature_by_vendor(package));
  if (folder.unpacked)
    OPKIT_CHECK(registry::pack(folder.path, given, text));
  else
    OPKIT_CHECK(write_file(folder.path / registry::kSignatureName, text));
  OPKIT_TRY(const registry::Signature signature, registry::parse_signature(text, ""));
  console.show({{"package", given.string()}, {"signed_by", signature.key}},
               fmt::format("{} {} with key {}\n", console.out().paint(Style::kGreen, "signed"),
                           package.to_string(), signature.key));
  return kOk;
}

}  // namespace

Command sign_command() {
  return {.name = "sign",
          .summary = "sign a package with its vendor's key",
          .details =
              "The signature covers the digests of all files of the package (docs/opp.md). It is "
              "the file\n"
              "package.sig of the package; building the package again removes it.",
          .positionals = {{.name = "package",
                           .help = "a built op project, a package directory or an archive (.opkg)",
                           .complete = Complete::kFile}},
          .flags = {},
          .examples = {{"opkit sign my_fused", "what opkit build made"},
                       {"opkit sign MyFused-1.0.0-acme.opkg", "an archive"}},
          .run = run_sign};
}

}  // namespace opkit::cli
