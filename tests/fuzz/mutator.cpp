#include "mutator.h"

#include <algorithm>
#include <utility>

namespace opkit::fuzz {
namespace {

constexpr size_t kMaxText = 1 << 16;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  size_t start = 0;
  while (start < text.size()) {
    const size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    lines.push_back(text.substr(start, end - start));
    start = end;
  }
  return lines;
}

}  // namespace

Mutator::Mutator(uint32_t seed, std::vector<std::string> seeds, std::vector<std::string> dictionary)
    : random_(seed), seeds_(std::move(seeds)), dictionary_(std::move(dictionary)) {}

size_t Mutator::pick(size_t n) { return random_() % n; }

std::string Mutator::next() {
  std::string text = seeds_[pick(seeds_.size())];
  const size_t edits = 1 + pick(8);
  for (size_t i = 0; i < edits; ++i) edit(text);
  if (text.size() > kMaxText) text.resize(kMaxText);
  return text;
}

void Mutator::edit(std::string& text) {
  if (text.empty()) text = "x";
  const size_t kind = pick(10);
  if (kind < 6) {
    edit_bytes(text, kind);
  } else {
    edit_lines(text, kind);
  }
}

void Mutator::edit_bytes(std::string& text, size_t kind) {
  static constexpr char kSpecial[] = "{}[]():,\"'#&*!|>%@`-?\n\t .0123456789~\\<=+/";
  const size_t at = pick(text.size());
  const size_t length = std::min(1 + pick(12), text.size() - at);
  switch (kind) {
    case 0: text[at] = static_cast<char>(pick(256)); break;
    case 1: text[at] = kSpecial[pick(sizeof(kSpecial) - 1)]; break;
    case 2: text.insert(at, 1, kSpecial[pick(sizeof(kSpecial) - 1)]); break;
    case 3: text.erase(at, length); break;
    case 4: text.insert(at, text.substr(at, length)); break;
    default: text.replace(at, length, dictionary_[pick(dictionary_.size())]); break;
  }
}

void Mutator::edit_lines(std::string& text, size_t kind) {
  std::vector<std::string> lines = lines_of(text);
  const size_t a = pick(lines.size()), b = pick(lines.size());
  switch (kind) {
    case 6: std::swap(lines[a], lines[b]); break;
    case 7: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(a), lines[b]); break;
    case 8: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(a)); break;
    default: {
      const std::vector<std::string> other = lines_of(seeds_[pick(seeds_.size())]);
      lines[a] = other[pick(other.size())];
    }
  }
  text.clear();
  for (const std::string& line : lines) text += line;
}

}  // namespace opkit::fuzz
