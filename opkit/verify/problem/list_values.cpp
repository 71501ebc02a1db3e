#include "opkit/verify/problem/list_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opkit::verify {
namespace {

using Items = std::vector<AttrValue>;

template <typename T>
std::vector<T> typed(const Items& items) {
  std::vector<T> list;
  for (const AttrValue& item : items) list.push_back(std::get<T>(item));
  return list;
}

AttrValue list_of(AttrType type, const Items& items) {
  switch (type) {
    case AttrType::kListBool: return typed<bool>(items);
    case AttrType::kListInt: return typed<int64_t>(items);
    case AttrType::kListFloat: return typed<double>(items);
    default: return typed<std::string>(items);
  }
}

// Returns the elements of a list in turn: integers one by one from the lowest that is positive and
// legal, of other types the choices.
Items in_turn(const Attr& attr, const std::vector<AttrChoice>& elements, size_t length) {
  Items items;
  if (attr.type != AttrType::kListInt || !attr.allowed.empty()) {
    for (size_t i = 0; i < length && !elements.empty(); ++i)
      items.push_back(elements[i % elements.size()].value);
    std::sort(items.begin(), items.end());
    return items;
  }
  constexpr double kFar = 1e6;
  const double lo = attr.range ? std::clamp(std::ceil(attr.range->lo), -kFar, kFar) : -kFar;
  const double hi = attr.range ? std::clamp(std::floor(attr.range->hi), -kFar, kFar) : kFar;
  const auto first = static_cast<int64_t>(std::min(std::max(lo, 1.0), hi));
  const auto last = static_cast<int64_t>(hi);
  for (size_t i = 0; i < length; ++i)
    items.emplace_back(std::min(first + static_cast<int64_t>(i), last));
  return items;
}

Items whole_numbers(size_t length) {
  Items items;
  for (size_t i = 0; i < length; ++i) items.emplace_back(static_cast<int64_t>(i));
  return items;
}

class Chooser {
 public:
  Chooser(const Attr& attr, const std::vector<AttrChoice>& elements)
      : attr_(attr), elements_(elements) {}

  std::vector<AttrChoice> run() {
    const std::vector<size_t> lengths = lengths_of(attr_);
    for (const size_t length : lengths) {
      suffix_ = lengths.size() > 1 ? fmt::format(", {} elements", length) : std::string();
      if (length == 0) {
        offer("no element", {});
      } else if (attr_.elements == Elements::kPermutation) {
        offer_permutations(length);
      } else {
        offer_lists(length, length == lengths.front());
      }
    }
    return std::move(choices_);
  }

 private:
  void offer(const std::string& label, const Items& items) {
    AttrValue value = list_of(attr_.type, items);
    if (!attr_.check(value).ok()) return;
    for (const AttrChoice& choice : choices_) {
      if (choice.value == value) return;
    }
    choices_.push_back({label + suffix_, std::move(value)});
  }

  // Lists of the usual length have every class, of other lengths some.
  void offer_lists(size_t length, bool usual) {
    Items turn = in_turn(attr_, elements_, length);
    if (turn.size() < length) return;
    offer("ascending", turn);
    if (usual) {
      Items other = turn;
      std::reverse(other.begin(), other.end());
      offer("descending", other);
      for (const bool last : {false, true}) {
        Items alone(length, turn.front());
        (last ? alone.back() : alone.front()) = turn.size() > 1 ? turn[1] : turn.front();
        offer(last ? "last alone" : "first alone", alone);
      }
      offer_from_the_end(length);
    }
    size_t shown = 0;
    for (const AttrChoice& element : elements_) {
      if (usual || ++shown <= 2) offer("all " + element.label, Items(length, element.value));
    }
  }

  // Axes counted from the end: -1, -2, ...
  void offer_from_the_end(size_t length) {
    if (attr_.type != AttrType::kListInt) return;
    Items items;
    for (size_t i = 0; i < length; ++i)
      items.emplace_back(static_cast<int64_t>(i) - static_cast<int64_t>(length));
    offer("from the end", items);
  }

  void offer_permutations(size_t length) {
    Items items = whole_numbers(length);
    offer("identity", items);
    Items other = items;
    std::reverse(other.begin(), other.end());
    offer("reversed", other);
    other = items;
    std::rotate(other.begin(), other.begin() + 1, other.end());
    offer("rotated", other);
    other = items;
    if (length > 1) std::swap(other[length - 1], other[length - 2]);
    offer("last two exchanged", other);
  }

  const Attr& attr_;
  const std::vector<AttrChoice>& elements_;
  std::string suffix_;
  std::vector<AttrChoice> choices_;
};

}  // namespace

std::vector<size_t> lengths_of(const Attr& attr) {
  constexpr int64_t kMoreLengths = 4;
  std::vector<size_t> lengths;
  const size_t usual = attr.default_value ? length_of(*attr.default_value) : 0;
  if (usual > 0) lengths.push_back(usual);
  if (!attr.length && usual > 0) return lengths;
  const auto [least, most] = attr.length.value_or(std::pair<int64_t, int64_t>{0, kMoreLengths});
  const auto add = [&](int64_t length) {
    const auto size = static_cast<size_t>(length);
    if (std::find(lengths.begin(), lengths.end(), size) == lengths.end()) lengths.push_back(size);
  };
  for (int64_t length = std::max<int64_t>(least, 1); length <= std::min(most, least + kMoreLengths);
       ++length)
    add(length);
  if (least == 0) add(0);
  add(most);
  return lengths;
}

std::vector<AttrChoice> list_choices(const Attr& attr, const std::vector<AttrChoice>& elements) {
  return Chooser(attr, elements).run();
}

AttrValue random_list(const Attr& attr, const std::vector<AttrChoice>& elements, Draws& draws) {
  const std::vector<size_t> lengths = lengths_of(attr);
  const size_t length = draws.chance(0.5) ? lengths.front() : draws.pick(lengths);
  const bool permutes = attr.elements == Elements::kPermutation;
  Items items = permutes ? whole_numbers(length) : Items();
  const Items turn = in_turn(attr, elements, 4);
  while (items.size() < length && !(turn.empty() && elements.empty())) {
    const bool from_turn = !turn.empty() && draws.chance(0.6);
    items.push_back(from_turn || elements.empty() ? draws.pick(turn) : draws.pick(elements).value);
  }
  for (size_t i = items.size(); permutes && i > 1; --i)
    std::swap(items[i - 1],
              items[static_cast<size_t>(draws.whole(0, static_cast<int64_t>(i) - 1))]);
  if (attr.elements == Elements::kSorted) std::sort(items.begin(), items.end());
  return list_of(attr.type, items);
}

}  // namespace opkit::verify
