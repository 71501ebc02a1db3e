#include "opkit/quantize/mix.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace opkit::quantize {
namespace {

// Partial assignments that are kept for each type of a chain's last layer.
constexpr size_t kMostKept = 4000;
// What a search tries: weights of noise against time, and beginnings for each.
constexpr int kWeights = 40, kBeginnings = 6;

constexpr Kind kAll[] = {Kind::kInt8, Kind::kHalf, Kind::kSingle};

size_t number(Kind kind) { return static_cast<size_t>(kind); }

// Keeps what no other one beats, the fastest first.
template <typename Item>
void keep_front(std::vector<Item>& items) {
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return a.time != b.time ? a.time < b.time : a.noise < b.noise;
  });
  std::vector<Item> kept;
  for (Item& item : items) {
    if (!std::isfinite(item.time)) continue;
    if (kept.empty() || item.noise < kept.back().noise) kept.push_back(std::move(item));
  }
  items = std::move(kept);
}

// A way to a layer of a chain; `before`: the number of the way to the layer in front of it.
struct Way {
  double time = 0, noise = 0;
  size_t before = 0;
  Kind kind_before = Kind::kSingle;
};

// Thins out what is too much: every second one goes.
bool thin(std::vector<Way>& ways) {
  bool thinned = false;
  while (ways.size() > kMostKept) {
    std::vector<Way> fewer;
    for (size_t i = 0; i < ways.size(); i += 2) fewer.push_back(ways[i]);
    if (ways.size() % 2 == 0) fewer.push_back(ways.back());
    ways = std::move(fewer);
    thinned = true;
  }
  return thinned;
}

class ChainFront {
 public:
  ChainFront(const MixProblem& problem, const std::vector<size_t>& order,
             const std::vector<double>& conversions)
      : problem_(problem), order_(order), conversions_(conversions) {}

  Front run() {
    Front front;
    front.exact = true;
    for (size_t i = 0; i < order_.size(); ++i) {
      if (extend(i)) front.exact = false;
    }
    for (const Kind kind : kAll) {
      for (size_t w = 0; w < ways_.back()[number(kind)].size(); ++w)
        front.mixes.push_back(mix_along(kind, w));
    }
    keep_front(front.mixes);
    return front;
  }

 private:
  bool extend(size_t i) {
    const MixLayer& layer = problem_.layers[order_[i]];
    std::array<std::vector<Way>, kKinds> here;
    bool thinned = false;
    for (const Kind kind : kAll) {
      const double time = layer.time[number(kind)], noise = layer.noise[number(kind)];
      std::vector<Way>& all = here[number(kind)];
      if (!std::isfinite(time)) continue;
      if (i == 0) all.push_back({time, noise, 0, kind});
      for (const Kind before : kAll) {
        if (i == 0) break;
        const std::vector<Way>& ways = ways_.back()[number(before)];
        const double turn = before == kind ? 0 : conversions_[i - 1];
        for (size_t w = 0; w < ways.size(); ++w)
          all.push_back({ways[w].time + turn + time, ways[w].noise + noise, w, before});
      }
      keep_front(all);
      thinned = thin(all) || thinned;
    }
    ways_.push_back(std::move(here));
    return thinned;
  }

  Mix mix_along(Kind kind, size_t way) const {
    std::vector<Kind> kinds(problem_.layers.size(), Kind::kSingle);
    for (size_t i = order_.size(); i-- > 0;) {
      kinds[order_[i]] = kind;
      const Way& here = ways_[i][number(kind)][way];
      kind = here.kind_before;
      way = here.before;
    }
    return mix_of(problem_, std::move(kinds));
  }

  const MixProblem& problem_;
  const std::vector<size_t>& order_;
  const std::vector<double>& conversions_;  // between an item of the order and the next
  std::vector<std::array<std::vector<Way>, kKinds>> ways_;
};

// The layers in an order in which every edge joins neighbours; nothing where there is none.
struct Chain {
  std::vector<size_t> order;
  std::vector<double> conversions;
};
std::optional<Chain> chain_of(const MixProblem& problem) {
  const size_t count = problem.layers.size();
  std::vector<std::vector<std::pair<size_t, double>>> next(count);
  std::vector<size_t> before(count);
  for (const MixEdge& edge : problem.edges) {
    next[edge.from].emplace_back(edge.to, edge.conversion);
    if (++before[edge.to] > 1 || next[edge.from].size() > 1) return std::nullopt;
  }
  Chain chain;
  for (size_t first = 0; first < count; ++first) {
    if (before[first] > 0) continue;
    if (!chain.order.empty()) chain.conversions.push_back(0);
    for (size_t at = first;;) {
      chain.order.push_back(at);
      if (next[at].empty()) break;
      chain.conversions.push_back(next[at][0].second);
      at = next[at][0].first;
    }
  }
  return chain.order.size() == count ? std::optional(chain) : std::nullopt;
}

// Says whether a cost is less by more than its own rounding, so that changes come to an end.
bool is_less(double now, double before) {
  return std::isinf(before) ? now < before : before - now > 1e-12 * std::abs(before);
}

class Search {
 public:
  Search(const MixProblem& problem, uint32_t seed) : problem_(problem), random_(seed) {
    edges_.resize(problem.layers.size());
    for (const MixEdge& edge : problem.edges) {
      edges_[edge.from].emplace_back(edge.to, edge.conversion);
      edges_[edge.to].emplace_back(edge.from, edge.conversion);
    }
  }

  Front run() {
    Front front;
    const double scale = typical();
    for (int w = 0; w <= kWeights; ++w) {
      const double weight = w == 0 ? 0 : scale * std::pow(10.0, 8.0 * w / kWeights - 4);
      for (int b = 0; b < kBeginnings; ++b)
        front.mixes.push_back(mix_of(problem_, settled(beginning(b), weight)));
    }
    for (const Kind kind : kAll)
      front.mixes.push_back(mix_of(problem_, std::vector<Kind>(problem_.layers.size(), kind)));
    keep_front(front.mixes);
    return front;
  }

 private:
  // How much time a layer's noise is worth.
  double typical() const {
    double time = 0, noise = 0;
    for (const MixLayer& layer : problem_.layers) {
      if (std::isfinite(layer.time[0])) time += std::abs(layer.time[2] - layer.time[0]);
      noise += layer.noise[0];
    }
    return noise > 0 && time > 0 && std::isfinite(time) ? time / noise : 1;
  }

  std::vector<Kind> beginning(int b) {
    std::vector<Kind> kinds(problem_.layers.size());
    for (Kind& kind : kinds) kind = b < 3 ? kAll[b] : kAll[random_() % kKinds];
    return kinds;
  }

  double cost(const std::vector<Kind>& kinds, size_t layer, Kind kind, double weight) const {
    const MixLayer& one = problem_.layers[layer];
    double sum = one.time[number(kind)] + weight * one.noise[number(kind)];
    for (const auto& [other, conversion] : edges_[layer]) {
      if (kinds[other] != kind) sum += conversion;
    }
    return sum;
  }

  // Changes single layers, then pairs of neighbours, while that helps.
  std::vector<Kind> settled(std::vector<Kind> kinds, double weight) const {
    for (bool any = true; any;) {
      any = false;
      for (size_t layer = 0; layer < kinds.size(); ++layer) {
        for (const Kind kind : kAll) {
          if (!is_less(cost(kinds, layer, kind, weight), cost(kinds, layer, kinds[layer], weight)))
            continue;
          kinds[layer] = kind;
          any = true;
        }
      }
      for (const MixEdge& edge : problem_.edges) any = change_pair(edge, weight, kinds) || any;
    }
    return kinds;
  }

  bool change_pair(const MixEdge& edge, double weight, std::vector<Kind>& kinds) const {
    // Counts what lies between the two once: it is in the cost of either.
    const auto both = [&](const std::vector<Kind>& with) {
      double sum = cost(with, edge.from, with[edge.from], weight) +
                   cost(with, edge.to, with[edge.to], weight);
      for (const auto& [other, conversion] : edges_[edge.from]) {
        if (other == edge.to && with[edge.from] != with[edge.to]) sum -= conversion;
      }
      return sum;
    };
    for (const Kind kind : kAll) {
      std::vector<Kind> changed = kinds;
      changed[edge.from] = changed[edge.to] = kind;
      if (!is_less(both(changed), both(kinds))) continue;
      kinds = std::move(changed);
      return true;
    }
    return false;
  }

  const MixProblem& problem_;
  std::mt19937 random_;
  std::vector<std::vector<std::pair<size_t, double>>> edges_;
};

}  // namespace

std::string_view name_of(Kind kind) {
  static constexpr std::string_view kNames[] = {"int8", "float16", "float32"};
  return kNames[number(kind)];
}

Mix mix_of(const MixProblem& problem, std::vector<Kind> kinds) {
  Mix mix;
  for (size_t i = 0; i < problem.layers.size(); ++i) {
    mix.time += problem.layers[i].time[number(kinds[i])];
    mix.noise += problem.layers[i].noise[number(kinds[i])];
  }
  for (const MixEdge& edge : problem.edges) {
    if (kinds[edge.from] != kinds[edge.to]) mix.time += edge.conversion;
  }
  mix.kinds = std::move(kinds);
  return mix;
}

Front mix_front(const MixProblem& problem, uint32_t seed) {
  if (problem.layers.empty()) return {};
  if (const auto chain = chain_of(problem))
    return ChainFront(problem, chain->order, chain->conversions).run();
  return Search(problem, seed).run();
}

}  // namespace opkit::quantize
