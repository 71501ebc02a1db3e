#include "opkit/tuning/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace opkit::tuning {
namespace {

constexpr size_t kWave = 16;
constexpr size_t kSampled = 64, kFinalists = 16;  // begin and end successive halving
constexpr size_t kLineValues = 16;                // limits a knob, in one step of the descent
constexpr size_t kMostRounds = 8;
constexpr size_t kMostWrong = 16;  // limits how many fail on data

class Searcher {
 public:
  Searcher(const Space& space, Meter& meter, const SearchOptions& options)
      : space_(space), meter_(meter), options_(options) {}

  SearchedSpace run() {
    found_.space = space_.size();
    add_row({});
    plan_new();
    measure({0}, false);
    space_.size() <= options_.exhausted ? exhaust() : guide();
    while (may_try_on_data() && !is_right_on_data()) {
    }
    finish();
    return std::move(found_);
  }

 private:
  std::vector<TuningRow>& rows() { return found_.rows; }

  size_t add_row(AttrValues knobs) {
    const std::string text = knobs_text(knobs);
    const auto known = number_.find(text);
    if (known != number_.end()) return known->second;
    TuningRow row;
    row.knobs = std::move(knobs);
    rows().push_back(std::move(row));
    return number_[text] = rows().size() - 1;
  }

  // Plans rows that nobody has planned, and finds twins.
  void plan_new() {
    std::vector<TuningRow*> fresh;
    for (; planned_ < rows().size(); ++planned_) fresh.push_back(&rows()[planned_]);
    meter_.plan(fresh);
    for (TuningRow* row : fresh) {
      if (row->verdict != RowVerdict::kNew) continue;
      if (!tilings_.insert(row->tiling).second) row->verdict = RowVerdict::kTwin;
    }
  }

  const TuningRow* best() const {
    const TuningRow* least = nullptr;
    for (const TuningRow& row : found_.rows) {
      if (!row.is_measured() || row.verdict == RowVerdict::kWrong) continue;
      if (least == nullptr || row.score < least->score) least = &row;
    }
    return least;
  }

  // Limits runs on data: a kernel that is wrong with knob after knob is wrong by itself.
  bool may_try_on_data() const { return best() != nullptr && wrong_ < kMostWrong; }

  // Puts the best row on data. Returns false where it is wrong, and another one is the best.
  bool is_right_on_data() {
    const auto number = static_cast<size_t>(best() - rows().data());
    const bool right = judge_on_data(rows()[number], options_.prove);
    wrong_ += right ? 0 : 1;
    return right;
  }

  // Measures those of the rows that are new, each once.
  void measure(const std::vector<size_t>& numbers, bool few) {
    std::vector<TuningRow*> wanted;
    std::set<size_t> seen;
    for (const size_t n : numbers)
      if (rows()[n].verdict == RowVerdict::kNew && seen.insert(n).second)
        wanted.push_back(&rows()[n]);
    if (guided_ && !few) keep_to_budget(wanted);
    meter_.measure(wanted, few);
    if (!few) found_.measured += wanted.size();
    options_.progress(found_.measured, rows().size(), best());
  }

  // Leaves out what bounds rule out, then what would be more than was allowed.
  void keep_to_budget(std::vector<TuningRow*>& wanted) const {
    const TuningRow* winner = best();
    if (options_.bounds_count && !options_.everything && winner != nullptr)
      std::erase_if(wanted, [&](const TuningRow* row) { return row->bound_ns >= winner->ns; });
    const uint64_t left = options_.most - std::min(options_.most, found_.measured);
    if (wanted.size() > left) wanted.resize(left);
  }

  // Branch and bound: all are planned, and measured in the order of their bounds until none that is
  // left can be better.
  void exhaust() {
    for (uint64_t n = 0; n < space_.size(); ++n) add_row(space_.knobs_at(space_.places(n)));
    plan_new();
    std::vector<size_t> order;
    for (size_t n = 0; n < rows().size(); ++n)
      if (rows()[n].verdict == RowVerdict::kNew) order.push_back(n);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return rows()[a].bound_ns < rows()[b].bound_ns; });
    note_bound();
    for (size_t at = 0; at < order.size(); at += kWave) {
      while (is_decided(rows()[order[at]]) && may_try_on_data())
        if (is_right_on_data()) return prune(order, at);
      const size_t end = std::min(at + kWave, order.size());
      measure({order.begin() + static_cast<long>(at), order.begin() + static_cast<long>(end)},
              false);
    }
    found_.proved = true;
    found_.proof =
        fmt::format("all {} different tilings of the space were measured", found_.measured);
  }

  void note_bound() {
    found_.bound_ns = UINT64_MAX;
    for (const TuningRow& row : rows())
      if (row.verdict != RowVerdict::kRefused && row.bound_ns > 0)
        found_.bound_ns = std::min(found_.bound_ns, row.bound_ns);
    if (found_.bound_ns == UINT64_MAX) found_.bound_ns = 0;
  }

  // Tells whether nothing behind this row, in the order of bounds, can be better.
  bool is_decided(const TuningRow& next) const {
    const TuningRow* winner = best();
    if (!options_.bounds_count || options_.everything || winner == nullptr) return false;
    return next.bound_ns >= winner->ns;
  }

  void prune(const std::vector<size_t>& order, size_t from) {
    for (size_t at = from; at < order.size(); ++at) rows()[order[at]].verdict = RowVerdict::kPruned;
    found_.proved = true;
    found_.proof = fmt::format("{} of {} tilings were measured, no other one can take less",
                               found_.measured, found_.measured + order.size() - from);
  }

  // Halves, then descends from the best ones. Most of the space is never planned, so
  // only the call's own bound says something of all of it.
  void guide() {
    guided_ = true;
    found_.bound_ns = meter_.least_ns();
    sample();
    std::vector<size_t> starts = ranking_of(rows());
    if (starts.size() > 3) starts.resize(3);
    for (const size_t start : starts) {
      if (found_.measured >= options_.most) break;
      descend(places_of(rows()[start]));
    }
    found_.proof =
        fmt::format("{} of {} combinations were measured", found_.measured, found_.space);
  }

  // Takes combinations that are spread evenly over the space, the same ones always.
  void sample() {
    std::vector<size_t> sampled;
    for (uint64_t i = 1; i <= kSampled; ++i)
      sampled.push_back(add_row(space_.knobs_at(space_.spread(i))));
    plan_new();
    measure(sampled, true);
    std::erase_if(sampled, [&](size_t n) { return rows()[n].verdict != RowVerdict::kNew; });
    std::sort(sampled.begin(), sampled.end());
    sampled.erase(std::unique(sampled.begin(), sampled.end()), sampled.end());
    std::stable_sort(sampled.begin(), sampled.end(),
                     [&](size_t a, size_t b) { return rows()[a].score < rows()[b].score; });
    const auto finalists = std::clamp<uint64_t>(options_.most / 4, 1, kFinalists);
    for (size_t i = finalists; i < sampled.size(); ++i) forget_few(rows()[sampled[i]]);
    if (sampled.size() > finalists) sampled.resize(finalists);
    measure(sampled, false);
    for (const size_t n : sampled)
      if (rows()[n].verdict == RowVerdict::kNew) forget_few(rows()[n]);
  }

  // Drops what the first blocks have told: it is no measurement.
  static void forget_few(TuningRow& row) {
    row.ns = row.cycles = row.instructions = row.gm_bytes = 0;
    row.score = 0;
    row.exact = false;
  }

  KnobPlaces places_of(const TuningRow& row) const {
    KnobPlaces places;
    for (const Knob& knob : space_.knobs()) {
      const auto said = row.knobs.find(std::string(kKnobPrefix) + knob.name);
      size_t place = knob.values.size() / 2;
      if (said != row.knobs.end()) {
        const auto at = std::lower_bound(knob.values.begin(), knob.values.end(),
                                         std::get<int64_t>(said->second));
        place = static_cast<size_t>(at - knob.values.begin());
      }
      places.push_back(place);
    }
    return places;
  }

  // One knob after the other, until no knob helps.
  void descend(KnobPlaces places) {
    for (size_t round = 0; round < kMostRounds; ++round) {
      const KnobPlaces before = places;
      for (size_t k = 0; k < space_.knobs().size(); ++k) {
        if (found_.measured >= options_.most) return;
        places = best_on_line(places, k);
      }
      if (places == before) return;
    }
  }

  KnobPlaces best_on_line(const KnobPlaces& from, size_t knob) {
    const size_t count = space_.knobs()[knob].values.size();
    const size_t step = (count + kLineValues - 1) / kLineValues;
    std::vector<size_t> numbers;
    std::vector<KnobPlaces> line;
    std::set<size_t> values = {from[knob]};
    for (size_t v = 0; v < count; v += step) values.insert(v);
    for (size_t d = 1; d <= 2; ++d) {  // neighbours
      if (from[knob] >= d) values.insert(from[knob] - d);
      if (from[knob] + d < count) values.insert(from[knob] + d);
    }
    for (const size_t value : values) {
      KnobPlaces places = from;
      places[knob] = value;
      numbers.push_back(add_row(space_.knobs_at(places)));
      line.push_back(std::move(places));
    }
    plan_new();
    measure(numbers, false);
    return best_of(numbers, line, from);
  }

  KnobPlaces best_of(const std::vector<size_t>& numbers, const std::vector<KnobPlaces>& line,
                     const KnobPlaces& otherwise) const {
    const TuningRow* least = nullptr;
    KnobPlaces best = otherwise;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const TuningRow* row = measured_as(found_.rows[numbers[i]]);
      if (row == nullptr || (least != nullptr && row->score >= least->score)) continue;
      least = row;
      best = line[i];
    }
    return best;
  }

  // Returns the row, or of a twin the row that was measured in its place.
  const TuningRow* measured_as(const TuningRow& row) const {
    if (row.is_measured()) return &row;
    if (row.verdict != RowVerdict::kTwin) return nullptr;
    for (const TuningRow& other : found_.rows)
      if (other.is_measured() && other.tiling == row.tiling) return &other;
    return nullptr;
  }

  void finish() {
    found_.planned = rows().size();
    found_.ranking = ranking_of(rows());
    const TuningRow* winner = found_.best();
    if (winner == nullptr || !options_.bounds_count || found_.bound_ns == 0) {
      if (!found_.proved) found_.proof += "; better ones may exist";
      return;
    }
    const double over = static_cast<double>(winner->ns) / static_cast<double>(found_.bound_ns) - 1;
    if (!found_.proved) {
      found_.proved = over <= options_.within;
      found_.proof += found_.proved ? ", none of the others can take less than the bound"
                                    : "; better ones may exist";
    }
    found_.proof =
        fmt::format("{:.1f} % above the bound; {}", 100 * std::max(over, 0.0), found_.proof);
  }

  const Space& space_;
  Meter& meter_;
  const SearchOptions& options_;
  SearchedSpace found_;
  std::map<std::string, size_t> number_;
  std::set<std::string> tilings_;
  size_t planned_ = 0;
  size_t wrong_ = 0;
  bool guided_ = false;
};

}  // namespace

const char* name_of(RowVerdict verdict) {
  switch (verdict) {
    case RowVerdict::kNew: return "new";
    case RowVerdict::kRefused: return "refused";
    case RowVerdict::kTwin: return "twin";
    case RowVerdict::kPruned: return "pruned";
    case RowVerdict::kMeasured: return "measured";
    case RowVerdict::kWrong: return "wrong";
    case RowVerdict::kRight: return "right";
  }
  return "";
}

std::string told(const TuningRow& row) {
  return row.knobs.empty() ? "default" : knobs_text(row.knobs);
}

bool judge_on_data(TuningRow& row, const Prove& prove) {
  if (row.verdict != RowVerdict::kMeasured) return row.verdict == RowVerdict::kRight;
  const Status right = prove(row);
  row.verdict = right.ok() ? RowVerdict::kRight : RowVerdict::kWrong;
  if (!right.ok()) {
    row.code = right.error().code;
    row.reason = right.error().message;
  }
  return right.ok();
}

std::vector<size_t> ranking_of(const std::vector<TuningRow>& rows) {
  std::vector<size_t> ranking;
  for (size_t n = 0; n < rows.size(); ++n)
    if (rows[n].is_measured() && rows[n].verdict != RowVerdict::kWrong) ranking.push_back(n);
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](size_t a, size_t b) { return rows[a].score < rows[b].score; });
  return ranking;
}

SearchedSpace search(const Space& space, Meter& meter, const SearchOptions& options) {
  return Searcher(space, meter, options).run();
}

}  // namespace opkit::tuning
