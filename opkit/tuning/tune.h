// Tune: one call's search, the proof of its winner on data, and what is kept of both.
#ifndef OPKIT_TUNING_TUNE_H_
#define OPKIT_TUNING_TUNE_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/tuned_plan.h"
#include "opkit/tuning/search.h"
#include "opkit/tuning/store.h"

namespace opkit {
class Json;
}

namespace opkit::tuning {

struct Tuned {
  TunedCall subject;
  std::string name;  // names the call for people: "S=[512], N=768"
  SearchedSpace found;
  std::optional<size_t> winner;  // a row; none: nothing that was tried is right
  std::vector<Trial> trials;
  uint64_t from_store = 0;

  const TuningRow& default_row() const { return found.rows.front(); }
  // Returns the winner for a bank.
  BankEntry entry() const;
  // Returns a bank of the winner alone.
  Bank bank() const { return {subject.op, subject.version, subject.plugin, {entry()}}; }
};

inline constexpr size_t kProved = 3;  // candidates that run on data: the winner and its rivals

// Errors: OPK-TUNE-007 the default of the call is refused, or its time depends on data; -009 every
// combination is; the store's. REQUIRES: the meter was made with the store.
Result<Tuned> tune(const Space& space, Meter& meter, const SearchOptions& options,
                   const TunedCall& subject, Store* store);

// Returns the bank as its file says it; entries in the order of chip and call, so that the order in
// which they were found leaves no trace.
Json bank_json(Bank bank);
std::string bank_text(Bank bank);
// The entry in place of the one of the same chip and call; of a bank of another plugin all go.
void add_entry(const std::string& plugin, BankEntry entry, Bank& bank);

Json tuned_json(const Tuned& tuned, bool rows);
std::string tuned_text(const Tuned& tuned);
Json row_json(const TuningRow& row);
// Header and lines of comma-separated values.
std::string rows_csv(const std::vector<StoredRow>& rows);
// Shows all candidates of a call by time and bytes with the front marked, two knobs as a heat map.
std::string report_section(const Tuned& tuned);
// Returns a page by itself of such sections.
std::string report_html(const std::string& sections);

}  // namespace opkit::tuning

#endif  // OPKIT_TUNING_TUNE_H_
