// Quarantine: libraries whose code crashed again and again in commands that run ops. The registry
// calls their packages broken until `opkit release` lets them go; bytes of another digest, a mended
// plugin, start anew. Kept in a user's cache.
#ifndef OPKIT_REGISTRY_QUARANTINE_H_
#define OPKIT_REGISTRY_QUARANTINE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::registry {

inline constexpr const char* kInQuarantine = "OPK-PLUGIN-014";

// What is known of one library.
struct Crashes {
  uint32_t count = 0;
  std::string code, reason;  // tell of the last crash
};

class Quarantine {
 public:
  static constexpr uint32_t kMost = 3;  // crashes, the last of which is one too many

  // `cache_dir` empty: nothing is kept and nothing is in quarantine.
  explicit Quarantine(std::filesystem::path cache_dir) : cache_dir_(std::move(cache_dir)) {}

  // The library's code ended a process.
  void add(const std::string& digest, const Error& crash) const;
  // Error: OPK-PLUGIN-014.
  Status judge(const std::string& digest) const;
  // Forgets the crashes, and what an earlier probe found. Whether a crash was among it.
  bool release(const std::string& digest) const;
  std::optional<Crashes> crashes(const std::string& digest) const;

 private:
  std::filesystem::path file_of(const std::string& digest) const;

  std::filesystem::path cache_dir_;
};

// Reads a record, for tests of the reader: nothing unless the bytes are a record.
std::optional<Crashes> read_crashes(std::string_view bytes);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_QUARANTINE_H_
