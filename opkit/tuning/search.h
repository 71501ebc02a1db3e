// The search for the best knobs of a call: on numbers alone, with somebody who plans and measures.
// Candidates come in waves of a fixed size, so that the answer does not depend on who measures them
// or how many do.
#ifndef OPKIT_TUNING_SEARCH_H_
#define OPKIT_TUNING_SEARCH_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/tuning/row.h"
#include "opkit/tuning/space.h"

namespace opkit::tuning {

// Plans and measures candidates; sets verdicts of those that are refused.
class Meter {
 public:
  virtual ~Meter() = default;
  // Sets tiling, bound_ns, block_dim, workspace_bytes. In any order, by any number of workers.
  virtual void plan(const std::vector<TuningRow*>& rows) = 0;
  // Sets times, counters and score of planned rows. `few`: of the first blocks alone.
  virtual void measure(const std::vector<TuningRow*>& rows, bool few) = 0;
  // Returns what no tiling of the call goes below; 0: nobody knows.
  virtual uint64_t least_ns() const { return 0; }
  // Says whether all measurements could be kept.
  virtual Status stored() const { return {}; }
  // Returns how many measurements were known already.
  virtual uint64_t from_store() const { return 0; }
};

// Runs the candidate on data under Checked and beside the oracle. An Error says what is wrong.
using Prove = std::function<Status(const TuningRow& row)>;
// Sets the row's verdict: right or wrong, where that is not known. Returns whether it is right.
bool judge_on_data(TuningRow& row, const Prove& prove);

struct SearchOptions {
  uint64_t exhausted = 4096;  // spaces up to this size are planned as a whole
  uint64_t most = 512;        // measured candidates of larger spaces
  double within = 0.03;       // is the distance from the bound that is good enough to stop
  bool bounds_count = true;   // the score is the time: bounds of it cut the search
  bool everything = false;    // nothing is pruned: for tables and pictures
  // Judges the best candidate before bounds rule out the others: a wrong one rules out nothing.
  Prove prove = [](const TuningRow&) { return Status(); };
  // Told after every wave.
  std::function<void(size_t done, size_t all, const TuningRow* best)> progress =
      [](size_t, size_t, const TuningRow*) {};
};

struct SearchedSpace {
  std::vector<TuningRow> rows;  // the first one is the default
  std::vector<size_t> ranking;  // measured rows, the best first; that one is right
  uint64_t space = 0, planned = 0, measured = 0;
  uint64_t bound_ns = 0;  // no candidate of the space takes less
  bool proved = false;    // nothing better exists in the space, or the bound is as good as met
  std::string proof;      // a sentence

  const TuningRow* best() const { return ranking.empty() ? nullptr : &rows[ranking.front()]; }
};

SearchedSpace search(const Space& space, Meter& meter, const SearchOptions& options);

// Ranks the rows that may win: measured and not wrong, the least score first, then the earliest.
std::vector<size_t> ranking_of(const std::vector<TuningRow>& rows);

}  // namespace opkit::tuning

#endif  // OPKIT_TUNING_SEARCH_H_
