#include "registry/report.h"

#include <fmt/format.h>

#include "opkit/abi/plugin.h"
#include "opkit/base/json.h"
#include "registry/cube_calls.h"
#include "registry/place_note.h"

namespace opkit::registry {
namespace {

Json place_of(const Location& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

std::string severity_name(Severity severity) {
  switch (severity) {
    case Severity::kInfo: return "note";
    case Severity::kWarning: return "warning";
    case Severity::kError: return "error";
  }
  return {};
}

Json list_of(const std::vector<Error>& errors) {
  Json list = Json::array();
  for (const Error& error : errors) list.push_back(to_json(error));
  return list;
}

Json to_json(const KernelEntry& kernel) {
  Json json{{"name", kernel.name}, {"task_type", kernel.task_type}};
  json["column"] = kernel.column ? Json(*kernel.column) : Json();
  json["tiling_key"] = kernel.tiling_key ? Json(*kernel.tiling_key) : Json();
  return json;
}

Json to_json(const std::vector<KernelEntry>& kernels) {
  Json list = Json::array();
  for (const KernelEntry& kernel : kernels) list.push_back(to_json(kernel));
  return list;
}

Json to_json(const Package& package) {
  Json json{{"directory", package.root.string()},
            {"vendor", package.manifest.vendor},
            {"op", package.manifest.op},
            {"version", package.manifest.version}};
  json["contract"] = package.contract_path().string();
  json["library"] = package.library_path().string();
  return json;
}

std::string kernel_text(const KernelEntry& kernel) {
  return fmt::format("    {} column {} tiling key {} {}\n", kernel.name,
                     kernel.column ? std::to_string(*kernel.column) : "any",
                     kernel.tiling_key ? std::to_string(*kernel.tiling_key) : "any",
                     kernel.task_type);
}

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string manifest_text(const Manifest& m) {
  std::string text;
  text += fmt::format("  built by    opkit {}, plugin ABI {}\n", m.kit, m.abi);
  text += fmt::format("  SoCs        {}\n", fmt::join(m.socs, ", "));
  text += fmt::format("  contract    {} sha256 {}\n", m.contract_file, m.contract_sha256);
  text += fmt::format("  library     {} sha256 {}\n", m.library_file, m.library_sha256);
  for (const FileEntry& entry : m.files)
    text += fmt::format("  file        {} sha256 {}\n", entry.file, entry.sha256);
  text += fmt::format("  platform    {}, sanitizer {}\n", m.platform, m.sanitizer);
  text += fmt::format("  needs       glibc {}, libstdc++ {}; {}\n", or_none(m.glibc),
                      or_none(m.glibcxx), fmt::join(m.needed, ", "));
  text += fmt::format("  runs on     {}\n", kind_of(m));
  text += fmt::format("  kernels     {}\n", m.kernels.size());
  for (const KernelEntry& kernel : m.kernels) text += kernel_text(kernel);
  return text;
}

// Tells whether the plugin exports its query function. No other symbol matters: libraries of C++
// code export weak ones of the standard library, too.
std::string exports_text(const ElfFacts& facts) {
  const bool has_query = facts.exports(OPK_QUERY_SYMBOL);
  return fmt::format("  exports     {} and {} others\n", has_query ? OPK_QUERY_SYMBOL : "no query",
                     facts.exported.size() - (has_query ? 1 : 0));
}

std::string cube_text(const std::vector<std::string>& calls) {
  if (calls.empty()) return {};
  return fmt::format("  cube unit   reached by {}: a kernel that states no type is mixed\n",
                     fmt::join(calls, ", "));
}

std::string facts_text(const PluginFacts& facts) {
  return fmt::format("  functions   infer shape: {}, infer dtype: {}, tiling: {}, OpDef: {}\n",
                     facts.infers_shape ? "yes" : "by contract",
                     facts.infers_dtype ? "yes" : "by contract", facts.tiles ? "yes" : "no",
                     facts.declares ? "yes" : "no");
}

}  // namespace

Inspection inspect(const std::filesystem::path& root, const HostFacts& host, bool probe,
                   const Expected& expected, const Prober& prober) {
  Inspection inspection;
  inspection.check = check_package(root, host, expected);
  if (!probe || !inspection.check.usable()) return inspection;
  ProbeOptions options;
  options.cache_dir = default_cache_dir();
  options.again = true;
  options.prober = prober;
  Result<PluginFacts> facts = probe_package(inspection.check.package, host, options);
  if (facts)
    inspection.facts = *std::move(facts);
  else
    inspection.probe_error = std::move(facts).error();
  return inspection;
}

Inspection inspect_installed(const Registry& registry, const Listed& listed, bool probe,
                             const Prober& prober) {
  const PackageCandidate& candidate = listed.candidate;
  Inspection inspection = inspect(candidate.directory, registry.host(), probe,
                                  {listed.root.vendor, candidate.op, candidate.version}, prober);
  inspection.trust = candidate.trust;
  for (const Error& reason : candidate.reasons)
    if (reason.code == kInQuarantine) inspection.quarantine = reason;
  return inspection;
}

std::vector<Inspection> verify(const Registry& registry, bool probe) {
  std::vector<Inspection> result;
  for (const Listed& listed : registry.list())
    result.push_back(inspect_installed(registry, listed, probe));
  return result;
}

std::string Inspection::to_string() const {
  std::string text = check.has_manifest ? fmt::format("{} in {}\n", check.package.to_string(),
                                                      check.package.root.string())
                                        : fmt::format("{}\n", check.package.root.string());
  if (check.has_manifest) text += manifest_text(check.package.manifest);
  if (check.has_manifest) text += fmt::format("  signed by   {}\n", or_none(check.package.signer));
  if (check.elf) text += exports_text(*check.elf);
  if (check.elf) text += cube_text(cube_calls_of(check.package.library_path()));
  if (facts) text += facts_text(*facts);
  for (const PackageFinding& finding : check.findings) text += finding.error.to_string() + "\n";
  if (probe_error) text += probe_error->to_string() + "\n";
  if (trust) text += trust->to_string() + "\n";
  if (quarantine) text += quarantine->to_string() + "\n";
  return text + (ok() ? "  verdict     fits this host\n" : "  verdict     refused\n");
}

Json to_json(const Error& error) {
  Json json{{"severity", severity_name(error.severity)},
            {"code", error.code},
            {"message", error.message},
            {"place", place_of(error.where)},
            {"op", error.op},
            {"constraint", error.constraint},
            {"action", error.action}};
  json["trail"] = error.trail;
  return json;
}

Json to_json(const Manifest& m) {
  Json json{
      {"abi", m.abi}, {"vendor", m.vendor}, {"op", m.op}, {"version", m.version}, {"opkit", m.kit}};
  json["contract"] = {{"file", m.contract_file}, {"sha256", m.contract_sha256}};
  json["library"] = {{"file", m.library_file}, {"sha256", m.library_sha256},
                     {"platform", m.platform}, {"sanitizer", m.sanitizer},
                     {"glibc", m.glibc},       {"glibcxx", m.glibcxx}};
  json["library"]["needed"] = m.needed;
  json["soc"] = m.socs;
  json["kind"] = kind_of(m);
  json["kernels"] = to_json(m.kernels);
  json["files"] = Json::array();
  for (const FileEntry& entry : m.files)
    json["files"].push_back({{"file", entry.file}, {"sha256", entry.sha256}});
  return json;
}

Json to_json(const ElfFacts& facts) {
  Json json{{"machine", facts.machine}, {"platform", facts.platform}, {"soname", facts.soname}};
  json["sanitizer"] = facts.sanitizer();
  json["needed"] = facts.needed;
  json["run_path"] = facts.run_path;
  json["exported"] = facts.exported;
  json["version_needs"] = facts.version_needs;
  return json;
}

Json to_json(const PluginFacts& facts) {
  Json json{{"abi", facts.abi},
            {"name", facts.name},
            {"version", facts.version},
            {"sanitizer", facts.sanitizer},
            {"op", facts.op},
            {"contract_sha256", facts.contract_sha256},
            {"infer_shape", facts.infers_shape},
            {"infer_dtype", facts.infers_dtype},
            {"tiling", facts.tiles},
            {"declared", facts.declares}};
  json["kernels"] = to_json(facts.kernels);
  return json;
}

Json to_json(const SearchPath& path) {
  Json roots = Json::array();
  for (const SearchRoot& root : path.roots) {
    roots.push_back({{"directory", root.directory.string()},
                     {"origin", std::string(name_of(root.origin))},
                     {"vendor", root.vendor},
                     {"reason", root.reason},
                     {"note", root.note},
                     {"meant", note_of_vendor(root.directory).meant.string()}});
  }
  Json json{{"opp", path.opp.string()},
            {"opp_reason", path.opp_reason},
            {"opp_note", note_of_opp(path.opp).text}};
  json["roots"] = std::move(roots);
  json["unlisted"] = path.unlisted;
  json["warnings"] = list_of(path.warnings);
  return json;
}

Json to_json(const PackageCandidate& candidate) {
  Json json{{"directory", candidate.directory.string()},
            {"vendor", candidate.vendor},
            {"op", candidate.op},
            {"version", candidate.version},
            {"verdict", std::string(name_of(candidate.standing))}};
  json["reasons"] = list_of(candidate.reasons);
  const bool is_signed = candidate.package && !candidate.package->signer.empty();
  json["signed_by"] = is_signed ? Json(candidate.package->signer) : Json();
  json["trust"] = candidate.trust ? to_json(*candidate.trust) : Json();
  return json;
}

Json to_json(const Listed& listed) {
  Json json = to_json(listed.candidate);
  json["origin"] = std::string(name_of(listed.root.origin));
  json["kind"] =
      listed.candidate.package ? Json(kind_of(listed.candidate.package->manifest)) : Json();
  json["socs"] =
      listed.candidate.package ? Json(listed.candidate.package->manifest.socs) : Json::array();
  return json;
}

Json to_json(const Trace& trace) {
  Json searched = Json::array();
  for (const SearchedRoot& root : trace.searched) {
    Json candidates = Json::array();
    for (const PackageCandidate& candidate : root.candidates)
      candidates.push_back(to_json(candidate));
    searched.push_back({{"directory", root.root.directory.string()},
                        {"reason", root.root.reason},
                        {"note", root.root.note},
                        {"candidates", std::move(candidates)}});
  }
  Json json;
  json["query"] = {{"op", trace.query.op},
                   {"soc", trace.query.soc},
                   {"version", trace.query.version},
                   {"vendor", trace.query.vendor}};
  json["path"] = to_json(trace.path);
  json["searched"] = std::move(searched);
  json["chosen"] = trace.chosen ? to_json(*trace.chosen) : Json();
  json["notes"] = list_of(trace.notes);
  json["error"] = trace.error ? to_json(*trace.error) : Json();
  return json;
}

Json to_json(const Inspection& inspection) {
  Json json{{"directory", inspection.check.package.root.string()}, {"ok", inspection.ok()}};
  json["manifest"] =
      inspection.check.has_manifest ? to_json(inspection.check.package.manifest) : Json();
  json["elf"] = inspection.check.elf ? to_json(*inspection.check.elf) : Json();
  json["cube_calls"] =
      inspection.check.elf ? Json(cube_calls_of(inspection.check.package.library_path())) : Json();
  json["plugin"] = inspection.facts ? to_json(*inspection.facts) : Json();
  Json findings = Json::array();
  for (const PackageFinding& finding : inspection.check.findings) {
    Json entry = to_json(finding.error);
    entry["defect"] = finding.defect == Defect::kBroken ? "broken" : "unfit";
    findings.push_back(std::move(entry));
  }
  json["findings"] = std::move(findings);
  const std::string& signer = inspection.check.package.signer;
  json["signed_by"] = signer.empty() ? Json() : Json(signer);
  json["trust"] = inspection.trust ? to_json(*inspection.trust) : Json();
  json["quarantine"] = inspection.quarantine ? to_json(*inspection.quarantine) : Json();
  json["probe_error"] = inspection.probe_error ? to_json(*inspection.probe_error) : Json();
  return json;
}

Json to_json(const InstallReport& report) {
  Json json = to_json(report.package);
  json["replaced"] = report.replaced;
  json["signed_by"] = report.package.signer.empty() ? Json() : Json(report.package.signer);
  json["new_owner"] = report.new_owner;
  json["other_versions"] = report.other_versions;
  json["load_priority"] = report.load_priority;
  return json;
}

Json to_json(const UninstallReport& report) {
  Json removed = Json::array();
  for (const UninstallReport::Removed& entry : report.removed) {
    removed.push_back({{"vendor", entry.vendor}, {"op", entry.op}, {"version", entry.version}});
  }
  Json json;
  json["removed"] = std::move(removed);
  json["load_priority"] = report.load_priority;
  return json;
}

}  // namespace opkit::registry
