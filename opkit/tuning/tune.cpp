#include "opkit/tuning/tune.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::tuning {
namespace {

// Puts the rivals of the search's best on data, as that one was, so that history shows what they
// are.
std::optional<size_t> proved_winner(SearchedSpace& found, const Prove& prove) {
  if (found.best() == nullptr || found.best()->verdict != RowVerdict::kRight) return std::nullopt;
  for (size_t r = 1; r < std::min(kProved, found.ranking.size()); ++r)
    judge_on_data(found.rows[found.ranking[r]], prove);
  return found.ranking.front();
}

// Goes from the default to the winner, one knob after the other: a knob that does not help goes
// back.
class StepByStep {
 public:
  StepByStep(Meter& meter, const TunedCall& subject, const Tuned& tuned)
      : meter_(meter), subject_(subject), winner_(tuned.found.rows[*tuned.winner]) {
    now_ = tuned.default_row();
  }

  std::vector<Trial> run() {
    for (const auto& [knob, value] : winner_.knobs) try_knob(knob, value);
    return std::move(trials_);
  }

 private:
  void try_knob(const std::string& knob, const AttrValue& value) {
    TuningRow next;
    next.knobs = now_.knobs;
    next.knobs[knob] = value;
    meter_.plan({&next});
    if (next.verdict == RowVerdict::kNew) meter_.measure({&next}, false);
    const bool kept = next.is_measured() && next.score < now_.score;
    trials_.push_back({subject_, knob.substr(kKnobPrefix.size()), "default", to_string(value),
                       now_.ns, next.ns, kept});
    if (kept) now_ = std::move(next);
  }

  Meter& meter_;
  const TunedCall& subject_;
  const TuningRow& winner_;
  TuningRow now_;
  std::vector<Trial> trials_;
};

// Checks that at least one combination is not refused.
Status check_any(const Tuned& tuned) {
  const std::vector<TuningRow>& rows = tuned.found.rows;
  const auto refused = [](const TuningRow& row) { return row.verdict == RowVerdict::kRefused; };
  if (rows.size() < 2 || !std::all_of(rows.begin() + 1, rows.end(), refused)) return {};
  return Error("OPK-TUNE-009",
               fmt::format(
                   "all {} combinations that were tried are refused, the first one with {}: {}",
                   rows.size() - 1, rows[1].code, rows[1].reason),
               "correct the values of tuning: in the contract")
      .of(tuned.subject.op);
}

Status keep(const Tuned& tuned, Store* store) {
  if (store == nullptr) return {};
  std::vector<const TuningRow*> judged;
  for (const TuningRow& row : tuned.found.rows) {
    if (row.verdict == RowVerdict::kRight || row.verdict == RowVerdict::kWrong ||
        row.verdict == RowVerdict::kRefused)
      judged.push_back(&row);
  }
  OPKIT_CHECK(store->add(tuned.subject, judged));
  return store->add(tuned.trials);
}

}  // namespace

BankEntry Tuned::entry() const {
  BankEntry entry{
      subject.soc,   {subject.inputs, subject.attrs}, {}, default_row().ns, default_row().ns,
      found.bound_ns};
  if (!winner) return entry;
  entry.knobs = found.rows[*winner].knobs;
  entry.ns = found.rows[*winner].ns;
  return entry;
}

Result<Tuned> tune(const Space& space, Meter& meter, const SearchOptions& options,
                   const TunedCall& subject, Store* store) {
  Tuned tuned;
  tuned.subject = subject;
  tuned.found = search(space, meter, options);
  OPKIT_CHECK(meter.stored());
  const TuningRow& first = tuned.default_row();
  if (!first.is_measured())
    return Error("OPK-TUNE-007",
                 fmt::format("the call's time is not modelled: {} {}", first.code, first.reason),
                 "opkit tile --cost says what the model of time needs")
        .of(subject.op);
  OPKIT_CHECK(check_any(tuned));
  tuned.winner = proved_winner(tuned.found, options.prove);
  tuned.from_store = meter.from_store();
  if (tuned.winner && *tuned.winner != 0) tuned.trials = StepByStep(meter, subject, tuned).run();
  OPKIT_CHECK(keep(tuned, store));
  return tuned;
}

}  // namespace opkit::tuning
