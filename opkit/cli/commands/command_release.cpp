#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "registry/probe.h"
#include "registry/version.h"

namespace opkit::cli {
namespace {

// Returns the installed packages that the words name.
Result<std::vector<registry::PackageCandidate>> named(const registry::Registry& registry,
                                                      const Arguments& arguments) {
  std::vector<registry::PackageCandidate> all;
  if (arguments.has("--version"))  // no range: a release is of what crashed
    OPKIT_CHECK(registry::SemVer::parse(arguments.get("--version")));
  const registry::Query query{.op = arguments.get("op"),
                              .soc = "",
                              .version = arguments.get("--version"),
                              .vendor = arguments.get("--vendor")};
  for (registry::Listed& listed : registry.list()) {
    registry::PackageCandidate& c = listed.candidate;
    if (c.op == query.op && (query.version.empty() || c.version == query.version) &&
        (query.vendor.empty() || c.vendor == query.vendor))
      all.push_back(std::move(c));
  }
  if (!all.empty()) return all;
  const registry::Trace trace = registry.explain(query);
  if (trace.error) return *trace.error;
  return all;
}

Outcome run_release(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const std::vector<registry::PackageCandidate> packages,
            named(open_registry(arguments, console), arguments));
  const registry::Quarantine quarantine(registry::default_cache_dir());
  Json list = Json::array();
  std::string text;
  for (const registry::PackageCandidate& c : packages) {
    if (!c.package) continue;  // without a manifest nothing is known of its library
    const std::string& digest = c.package->manifest.library_sha256;
    const auto known = quarantine.crashes(digest);
    const bool released = quarantine.release(digest);
    list.push_back({{"op", c.op},
                    {"version", c.version},
                    {"vendor", c.vendor},
                    {"library_sha256", digest},
                    {"crashes", known ? known->count : 0},
                    {"released", released}});
    text += fmt::format(
        "{} {} {} of {}{}\n",
        console.out().paint(released ? Style::kGreen : Style::kDim,
                            released ? "released" : "nothing to forget of"),
        c.op, c.version, c.vendor,
        known ? fmt::format(": forgotten: {} crash{}", known->count, known->count == 1 ? "" : "es")
              : "");
  }
  console.show({{"packages", std::move(list)}}, text);
  return kOk;
}

}  // namespace

Command release_command() {
  return {
      .name = "release",
      .summary = "lift the quarantine of an op whose plugin crashed again and again",
      .details =
          "A library whose code ended its worker in three runs is not run any more "
          "(docs/isolation.md);\n"
          "opkit list and opkit why tell the reason. This forgets the crashes. A mended plugin "
          "has\n"
          "another digest and needs no release.",
      .positionals = {{.name = "op",
                       .help = "the op's type, such as AddRelu",
                       .complete = Complete::kOp}},
      .flags = {opp_flag(),
                {.name = "--vendor", .value = "NAME", .help = "only this vendor's"},
                {.name = "--version", .value = "X.Y.Z", .help = "only this version, no range"}},
      .examples = {{"opkit release MyFused", "run it again"},
                   {"opkit release MyFused --version 1.0.0 --json", "for a script"}},
      .run = run_release,
  };
}

}  // namespace opkit::cli
