#include "registry/probe.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "opkit/base/digest.h"
#include "opkit/base/process/child.h"
#include "opkit/base/process/host_limits.h"
#include "opkit/base/regular_file.h"
#include "registry/plugin_tables.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

using ProbeJson = nlohmann::ordered_json;
constexpr size_t kMaxVerdictBytes = 8u << 20;

// The child's lines: "step <name>" before each step, then "answer <json>".
constexpr const char* kStep = "step ";
constexpr const char* kAnswer = "answer ";

ProbeJson to_verdict(const PluginFacts& facts) {
  ProbeJson kernels = ProbeJson::array();
  for (const KernelEntry& kernel : facts.kernels) {
    ProbeJson entry{{"name", kernel.name}, {"task_type", kernel.task_type}};
    if (kernel.column) entry["column"] = *kernel.column;
    if (kernel.tiling_key) entry["tiling_key"] = *kernel.tiling_key;
    kernels.push_back(std::move(entry));
  }
  return {{"abi", facts.abi},
          {"name", facts.name},
          {"version", facts.version},
          {"sanitizer", facts.sanitizer},
          {"op", facts.op},
          {"contract_sha256", facts.contract_sha256},
          {"infers_shape", facts.infers_shape},
          {"infers_dtype", facts.infers_dtype},
          {"tiles", facts.tiles},
          {"declares", facts.declares},
          {"kernels", std::move(kernels)}};
}

PluginFacts from_verdict(const ProbeJson& json) {
  PluginFacts facts;
  facts.abi = json.at("abi").get<uint32_t>();
  facts.name = json.at("name").get<std::string>();
  facts.version = json.at("version").get<std::string>();
  facts.sanitizer = json.at("sanitizer").get<std::string>();
  facts.op = json.at("op").get<std::string>();
  facts.contract_sha256 = json.at("contract_sha256").get<std::string>();
  facts.infers_shape = json.at("infers_shape").get<bool>();
  facts.infers_dtype = json.at("infers_dtype").get<bool>();
  facts.tiles = json.at("tiles").get<bool>();
  facts.declares = json.at("declares").get<bool>();
  for (const ProbeJson& entry : json.at("kernels")) {
    KernelEntry kernel;
    kernel.name = entry.at("name").get<std::string>();
    kernel.task_type = entry.at("task_type").get<std::string>();
    if (entry.contains("column")) kernel.column = entry.at("column").get<uint32_t>();
    if (entry.contains("tiling_key")) kernel.tiling_key = entry.at("tiling_key").get<uint64_t>();
    facts.kernels.push_back(std::move(kernel));
  }
  return facts;
}

ProbeJson to_verdict(const Error& error) {
  return {{"code", error.code}, {"message", error.message}, {"action", error.action}};
}

std::string as_line(const ProbeJson& json) {
  return json.dump(-1, ' ', true, ProbeJson::error_handler_t::replace);
}

Result<PluginFacts> read_library(const fs::path& path, const HostFacts& host, int fd) {
  write_all(fd, "step loading it (a static initialiser)\n");
  OPKIT_TRY(SharedLibrary library, SharedLibrary::open(path));
  OPKIT_TRY(const opk_query_fn query, library.query_function());
  write_all(fd, "step its query function\n");
  OPKIT_TRY(const PluginTables tables, read_tables(query, host));
  PluginFacts facts = facts_of(tables);
  write_all(fd, "step unloading it (a static destructor)\n");
  library.close();
  return facts;
}

// Runs in the child.
void examine(const fs::path& path, const HostFacts& host, int fd) {
  const Result<PluginFacts> facts = read_library(path, host, fd);
  const ProbeJson answer = facts ? ProbeJson{{"facts", to_verdict(*facts)}}
                                 : ProbeJson{{"error", to_verdict(facts.error())}};
  write_all(fd, kAnswer + as_line(answer) + "\n");
}

// Returns a JSON verdict as a result; nothing when the text is none.
std::optional<Result<PluginFacts>> read_verdict(const std::string& text) {
  try {
    const ProbeJson json = ProbeJson::parse(text);
    if (json.contains("facts")) return from_verdict(json.at("facts"));
    const ProbeJson& error = json.at("error");
    return Error(error.at("code").get<std::string>(), error.at("message").get<std::string>(),
                 error.at("action").get<std::string>());
  } catch (const ProbeJson::exception&) {
    return std::nullopt;
  }
}

// Returns the text after the last line that starts with `prefix`.
std::string last_line(const std::string& output, const std::string& prefix) {
  const size_t at = output.rfind(prefix);
  if (at == std::string::npos) return {};
  const size_t start = at + prefix.size();
  return output.substr(start, output.find('\n', start) - start);
}

std::string first_words(const std::string& messages) {
  if (messages.empty()) return {};
  return fmt::format("; it said: {}", messages.substr(0, messages.find('\n')).substr(0, 200));
}

// SIGKILL says nothing of the plugin; the kernel sends it when memory runs out.
Error crashed(const ChildResult& child) {
  if (child.signal == SIGKILL)
    return Error("OPK-PLUGIN-013",
                 "the test process of the plugin was killed from outside (SIGKILL): " +
                     limits_of(Scarce::kMemory),
                 "free memory or raise the limit, and try again");
  const std::string how =
      child.signal != 0 ? fmt::format("died with {} ({})", strsignal(child.signal), child.signal)
                        : fmt::format("ended the process with code {}", child.exit_code);
  return Error("OPK-PLUGIN-010",
               fmt::format("the plugin {} in a test process, while {}{}", how,
                           last_line(child.output, kStep), first_words(child.messages)),
               "fix the plugin's global objects and query function, and rebuild it");
}

Error too_slow(const ChildResult& child, std::chrono::milliseconds limit) {
  return Error("OPK-PLUGIN-011",
               fmt::format("the plugin did not answer within {} ms in a test process, while {}",
                           limit.count(), last_line(child.output, kStep)),
               "look for a lock or an endless loop in the plugin's global objects");
}

// A verdict that holds for these bytes on this host, wherever they lie.
fs::path verdict_file(const fs::path& cache_dir, const std::string& digest, const HostFacts& host) {
  return cache_dir / "probe" /
         fmt::format("{}-abi{}-{}.json", digest, host.max_abi, host.sanitizer);
}

std::optional<Result<PluginFacts>> remembered(const fs::path& file) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return std::nullopt;
  const Result<std::string> text = read_regular_file(file, kMaxVerdictBytes);
  if (!text) return std::nullopt;
  std::optional<Result<PluginFacts>> verdict = read_verdict(*text);
  if (!verdict || verdict->ok()) return verdict;
  Error error = verdict->error();
  error.code = "OPK-PLUGIN-012";
  error.message = "this library is in quarantine: " + error.message;
  error.action += "; `opkit verify` tries it again";
  return Result<PluginFacts>(std::move(error));
}

// Only what depends on the bytes alone: the facts, or a crash. Failing to write costs a second
// probe.
void remember(const fs::path& file, const Result<PluginFacts>& verdict) {
  if (!verdict && !verdict.error().is(Cause::kProbeCrash)) return;
  const ProbeJson json = verdict ? ProbeJson{{"facts", to_verdict(*verdict)}}
                                 : ProbeJson{{"error", to_verdict(verdict.error())}};
  std::error_code code;
  fs::create_directories(file.parent_path(), code);
  const Status status = write_regular_file(file, as_line(json));
  (void)status;
}

Result<PluginFacts> probe_now(const fs::path& library, const HostFacts& host,
                              const ProbeOptions& options) {
  const std::chrono::milliseconds limit = options.time_limit;
  if (options.prober) return options.prober(library, limit);
  OPKIT_TRY(const ChildResult child,
            run_in_child([&](int fd) { return examine(library, host, fd), 0; }, limit));
  if (child.timed_out) return too_slow(child, limit);
  if (child.signal != 0 || child.exit_code != 0) return crashed(child);
  const std::string answer = last_line(child.output, kAnswer);
  std::optional<Result<PluginFacts>> verdict = read_verdict(answer);
  if (!verdict) return crashed(child);  // it ended early, or wrote over the answer
  return *std::move(verdict);
}

Result<PluginFacts> probe_digest(const fs::path& library, const std::string& digest,
                                 const HostFacts& host, const ProbeOptions& options) {
  if (options.cache_dir.empty()) return probe_now(library, host, options);
  const fs::path file = verdict_file(options.cache_dir, digest, host);
  if (!options.again) {
    if (auto verdict = remembered(file)) return *std::move(verdict);
  }
  Result<PluginFacts> verdict = probe_now(library, host, options);
  remember(file, verdict);
  return verdict;
}

}  // namespace

fs::path default_cache_dir() {
  for (const auto& [name, tail] :
       {std::pair("OPKIT_CACHE_DIR", ""), std::pair("XDG_CACHE_HOME", "opkit"),
        std::pair("HOME", ".cache/opkit")}) {
    const char* text = std::getenv(name);
    if (text != nullptr && *text != '\0') return fs::path(text) / tail;
  }
  return {};
}

bool remembers_crash(const fs::path& file) {
  const auto verdict = remembered(file);
  return verdict && !verdict->ok();
}

Result<PluginFacts> probe_library(const fs::path& library, const HostFacts& host,
                                  const ProbeOptions& options) {
  if (options.cache_dir.empty()) return probe_now(library, host, options);
  OPKIT_TRY(const std::string digest, sha256_file(library));
  return probe_digest(library, digest, host, options);
}

Result<PluginFacts> probe_package(const Package& package, const HostFacts& host,
                                  const ProbeOptions& options) {
  Result<PluginFacts> facts =
      probe_digest(package.library_path(), package.manifest.library_sha256, host, options);
  if (!facts) {
    Error error = std::move(facts).error();
    error.op = package.manifest.op;
    if (error.where.file.empty()) error.where.file = package.library_path().string();
    return error;
  }
  OPKIT_CHECK(check_facts(*facts, package));
  return facts;
}

}  // namespace opkit::registry
