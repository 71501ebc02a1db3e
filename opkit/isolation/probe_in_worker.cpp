#include "opkit/isolation/probe_in_worker.h"

#include <fmt/format.h>

#include "opkit/isolation/readable.h"
#include "opkit/isolation/session.h"
#include "registry/plugin_tables.h"

namespace opkit::isolation {
namespace {

// In the registry's words, which remember a crash by the library's digest.
Error in_words_of_registry(Error error) {
  if (error.is(Cause::kHostLacks) || !error.is(Cause::kWorker)) return error;
  const bool slow = error.is(Cause::kTooSlow);
  Error told(slow ? "OPK-PLUGIN-011" : "OPK-PLUGIN-010",
             "in a test process, " + std::move(error.message),
             slow ? "look for a lock or an endless loop in the plugin's global objects"
                  : "fix the plugin's global objects and query function, and rebuild it");
  told.trail = std::move(error.trail);
  return told;
}

}  // namespace

Result<registry::PluginFacts> probe_in_worker(const std::filesystem::path& library,
                                              std::chrono::milliseconds time_limit) {
  SessionOptions options;
  std::error_code failure;
  options.library = std::filesystem::absolute(library, failure).string();
  options.folder = package_folder_of(options.library).string();
  options.limits.time = time_limit;
  auto session = Session::open(std::move(options));
  if (!session.ok()) return in_words_of_registry(std::move(session).error());
  registry::PluginFacts facts =
      registry::facts_of({&(*session)->tables().header(), &(*session)->tables().op()});
  Status unloaded = (*session)->unload();
  if (!unloaded.ok()) return in_words_of_registry(std::move(unloaded).error());
  return facts;
}

}  // namespace opkit::isolation
