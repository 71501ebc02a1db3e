// Store: every candidate that was measured, on disk; several processes write it. SQLite stays in
// store.cpp.
#ifndef OPKIT_TUNING_STORE_H_
#define OPKIT_TUNING_STORE_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/tuning/row.h"

namespace opkit::tuning {

// What measurements are of: with another contract, plugin or model of time they are measured anew.
struct TunedCall {
  std::string op, version;
  std::string contract, plugin;  // digests
  std::string inputs, attrs;     // CallName's
  std::string soc;
  std::string figures;  // digest of the chip's figures of time, and of the model that reads them
};

struct StoredRow {
  TunedCall subject;
  TuningRow row;
  int64_t moment = 0;  // milliseconds since 1970
};

// One knob changed and the others left: what it was, what it became, and whether it stayed.
struct Trial {
  TunedCall subject;
  std::string knob, before, after;
  uint64_t before_ns = 0, after_ns = 0;
  bool kept = false;
};

class Store {
 public:
  // Opens or creates the file. Error: OPK-TUNE-005.
  static Result<Store> open(const std::filesystem::path& file);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Returns the measurement of these knobs, where there is one.
  std::optional<TuningRow> find(const TunedCall& subject, const AttrValues& knobs) const;
  // Error: OPK-TUNE-005.
  Status add(const TunedCall& subject, const std::vector<const TuningRow*>& rows);
  Status add(const std::vector<Trial>& trials);
  // Lists the rows of an op, or of all (empty), in the order of op, chip, call, score.
  std::vector<StoredRow> rows(const std::string& op) const;
  std::vector<Trial> trials(const std::string& op) const;

 private:
  struct Database;
  explicit Store(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace opkit::tuning

#endif  // OPKIT_TUNING_STORE_H_
