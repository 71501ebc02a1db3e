#include <fmt/format.h>

#include "opkit/base/shell_word.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/package_path.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/key_text.h"
#include "registry/archive.h"
#include "registry/package.h"
#include "registry/report.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

Outcome run_pack(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const fs::path source, package_at_path(arguments.get("package"), console));
  OPKIT_TRY(const registry::Package package,
            registry::usable_package(source, registry::HostFacts::of_this_process()));
  const registry::Manifest& manifest = package.manifest;
  const fs::path file = arguments.find("archive").value_or(
      fmt::format("{}-{}-{}.opkg", manifest.op, manifest.version, manifest.vendor));
  std::error_code ignored;
  if (fs::exists(file, ignored) && !arguments.has("--force")) {
    return Error("OPK-NEW-003", fmt::format("{} exists already", file.string()),
                 "--force replaces it");
  }
  std::optional<std::string> signature;
  if (arguments.has("--sign")) {
    OPKIT_TRY(signature, signature_by_vendor(package));
  }
  OPKIT_CHECK(registry::pack(source, file, signature));
  const uintmax_t bytes = fs::file_size(file, ignored);
  console.show({{"archive", fs::absolute(file).lexically_normal().string()},
                {"bytes", bytes},
                {"package", registry::to_json(manifest)}},
               fmt::format("{} {} to {} ({} bytes)\nnext: opkit install {}\n",
                           console.out().paint(Style::kGreen, "packed"), package.to_string(),
                           shown(file), bytes, shell_word(shown(file))));
  return kOk;
}

}  // namespace

Command pack_command() {
  return {
      .name = "pack",
      .summary = "one archive file of a package, to hand on",
      .details = "The package is checked first. Equal packages give equal archives.",
      .positionals = {{.name = "package",
                       .help = "a built op project or a package directory",
                       .complete = Complete::kDirectory},
                      {.name = "archive",
                       .help = "the file to write [<Op>-<version>-<vendor>.opkg]",
                       .complete = Complete::kFile,
                       .required = false}},
      .flags = {{.name = "--force", .value = "", .help = "replace the file when it exists"},
                {.name = "--sign", .value = "", .help = "with the vendor's key (opkit keys new)"}},
      .examples = {{"opkit pack my_fused", "MyFused-1.0.0-customize.opkg"},
                   {"opkit install MyFused-1.0.0-customize.opkg", "on another machine"}},
      .run = run_pack,
  };
}

}  // namespace opkit::cli
