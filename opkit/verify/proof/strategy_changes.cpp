#include "opkit/verify/proof/strategy_changes.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace opkit::verify {
namespace {

constexpr uint32_t kMany = 3;         // loops: more are told apart from two, not from each other
constexpr size_t kFewValues = 3;      // limits a number that is chosen, not computed from the size
constexpr size_t kMostChanges = 6;    // besides those of the key
constexpr size_t kMostWords = 64;     // limits what is looked at of the tiling data
constexpr size_t kEnoughAnswers = 6;  // suffice to say that a number has few values

struct Answer {
  Problem problem;
  uint64_t key = 0;
  uint32_t blocks = 0;
  std::vector<uint32_t> words;
};

class Line {
 public:
  Line(const Sizes& sizes, const AskTiling& ask) : sizes_(sizes), ask_(ask) {}

  std::vector<StrategyChange> run() {
    for (const int64_t number : sizes_.spread()) answer(number);
    choose_words();
    std::vector<std::pair<int64_t, const Answer*>> met;
    for (const auto& [number, answer] : answers_) {
      if (answer) met.emplace_back(number, &*answer);
    }
    for (size_t i = 1; i < met.size(); ++i) {
      if (!alike(*met[i - 1].second, *met[i].second)) bisect(met[i - 1].first, met[i].first);
    }
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const auto& a, const auto& b) { return a.of_key > b.of_key; });
    const auto others = std::find_if(changes_.begin(), changes_.end(),
                                     [](const auto& change) { return !change.of_key; });
    if (static_cast<size_t>(changes_.end() - others) > kMostChanges)
      changes_.erase(others + kMostChanges, changes_.end());
    return std::move(changes_);
  }

 private:
  const std::optional<Answer>& answer(int64_t number) {
    const auto known = answers_.find(number);
    if (known != answers_.end()) return known->second;
    std::optional<Answer>& made = answers_[number];
    const auto problem = sizes_.at(number);
    const SharedPlan plan = problem ? ask_(*problem) : nullptr;
    if (!plan) return made;
    made = Answer{*problem, plan->tiling.key, plan->tiling.block_dim, {}};
    made->words.resize(std::min(plan->tiling.data.size() / sizeof(uint32_t), kMostWords));
    if (!made->words.empty())
      std::memcpy(made->words.data(), plan->tiling.data.data(),
                  made->words.size() * sizeof(uint32_t));
    most_blocks_ = std::max(most_blocks_, made->blocks);
    return made;
  }

  // Words of which the answers know few values.
  void choose_words() {
    std::vector<std::set<uint32_t>> values(kMostWords);
    size_t answers = 0;
    for (const auto& [number, answer] : answers_) {
      if (!answer) continue;
      ++answers;
      for (size_t w = 0; w < answer->words.size(); ++w) {
        if (values[w].size() <= kFewValues) values[w].insert(answer->words[w]);
      }
    }
    chosen_.assign(kMostWords, false);
    for (size_t w = 0; w < kMostWords && answers >= kEnoughAnswers; ++w)
      chosen_[w] = values[w].size() <= kFewValues;
  }

  uint32_t cores_of(const Answer& answer) const {
    if (answer.blocks <= 1) return 1;
    return answer.blocks < most_blocks_ ? 2 : 3;
  }

  bool alike(const Answer& a, const Answer& b) const {
    if (a.key != b.key || cores_of(a) != cores_of(b) || a.words.size() != b.words.size())
      return false;
    for (size_t w = 0; w < a.words.size(); ++w) {
      const uint32_t one = a.words[w], other = b.words[w];
      if (chosen_[w] ? one != other : std::min(one, kMany) != std::min(other, kMany)) return false;
    }
    return true;
  }

  // REQUIRES: both have answers, which are not alike.
  void bisect(int64_t low, int64_t high) {
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      const std::optional<Answer>& there = answer(middle);
      if (!there) return;
      (alike(*answers_[low], *there) ? low : high) = middle;
    }
    const Answer &below = *answers_[low], &above = *answers_[high];
    changes_.push_back({below.problem, above.problem, below.key != above.key});
  }

  const Sizes& sizes_;
  const AskTiling& ask_;
  std::map<int64_t, std::optional<Answer>> answers_;
  uint32_t most_blocks_ = 1;
  std::vector<bool> chosen_;
  std::vector<StrategyChange> changes_;
};

}  // namespace

std::vector<StrategyChange> strategy_changes(const Sizes& sizes, const AskTiling& ask) {
  return Line(sizes, ask).run();
}

}  // namespace opkit::verify
