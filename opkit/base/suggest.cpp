#include "opkit/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace opkit {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool alike(char a, char b) { return lower(a) == lower(b); }

// Characters put in, left out, changed, or swapped with their neighbour (each one edit), without
// regard to case.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(before), row(before);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = above[j - 1] + (alike(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({row[j - 1] + 1, above[j] + 1, change});
      if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t kLongest = 256;  // names come from untrusted files
  if (word.size() > kLongest) return std::nullopt;
  size_t best = word.size() / 3 + 2;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const size_t d = distance(word, candidate);
    if (d < best) {
      best = d;
      found = candidate;
    }
  }
  return found;
}

std::string suggest(std::string_view word, std::span<const std::string> candidates) {
  if (auto found = nearest(word, candidates)) return fmt::format("did you mean '{}'?", *found);
  if (candidates.empty()) return {};
  return fmt::format("known names: {}", fmt::join(candidates, ", "));
}

std::string suggest(std::string_view word, std::span<const std::string> candidates,
                    std::string_view otherwise) {
  constexpr size_t kFew = 5;
  if (candidates.size() <= kFew || nearest(word, candidates)) return suggest(word, candidates);
  return std::string(otherwise);
}

}  // namespace opkit
