#include "registry/quarantine.h"

#include <fmt/format.h>

#include "opkit/base/regular_file.h"
#include "opkit/base/wire.h"
#include "registry/probe.h"

namespace opkit::registry {
namespace fs = std::filesystem;

template <typename A>
void fields(A& a, Crashes& v) {
  a(v.count, v.code, v.reason);
}

namespace {

constexpr const char* kQuarantineForm = "opkit crashes 1";
constexpr size_t kMostQuarantineBytes = 64 << 10;
constexpr size_t kLongestReason = 1000;

bool is_digest(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

std::optional<Crashes> read_crashes(std::string_view bytes) {
  wire::Reader reader(bytes);
  std::string form;
  Crashes crashes;
  reader(form, crashes);
  if (!reader.done() || form != kQuarantineForm) return std::nullopt;
  return crashes;
}

fs::path Quarantine::file_of(const std::string& digest) const {
  return cache_dir_ / "crashes" / digest;
}

std::optional<Crashes> Quarantine::crashes(const std::string& digest) const {
  if (cache_dir_.empty() || !is_digest(digest)) return std::nullopt;
  const Result<std::string> bytes = read_regular_file(file_of(digest), kMostQuarantineBytes);
  return bytes.ok() ? read_crashes(*bytes) : std::nullopt;
}

void Quarantine::add(const std::string& digest, const Error& crash) const {
  if (cache_dir_.empty() || !is_digest(digest)) return;
  Crashes crashes = this->crashes(digest).value_or(Crashes());
  if (crashes.count < kMost) ++crashes.count;
  crashes.code = crash.code;
  crashes.reason = crash.message.substr(0, kLongestReason);
  std::error_code code;
  fs::create_directories(cache_dir_ / "crashes", code);
  // What cannot be kept does not keep anybody from going on.
  const Status status =
      write_regular_file(file_of(digest), wire::written(std::string(kQuarantineForm), crashes));
  static_cast<void>(status);
}

Status Quarantine::judge(const std::string& digest) const {
  const std::optional<Crashes> known = crashes(digest);
  if (!known || known->count < kMost) return {};
  return Error(kInQuarantine,
               fmt::format("the library is in quarantine after {} crash{}; the last one: {}: {}",
                           known->count, known->count == 1 ? "" : "es", known->code, known->reason),
               "mend and install it again, or lift the quarantine with `opkit release`");
}

bool Quarantine::release(const std::string& digest) const {
  if (cache_dir_.empty() || !is_digest(digest)) return false;
  std::error_code code;
  bool found = fs::remove(file_of(digest), code);
  for (fs::directory_iterator it(cache_dir_ / "probe", code), end; !code && it != end;
       it.increment(code)) {
    std::error_code ignored;
    if (it->path().filename().string().rfind(digest, 0) != 0) continue;
    found = remembers_crash(it->path()) || found;
    fs::remove(it->path(), ignored);
  }
  return found;
}

}  // namespace opkit::registry
