#include "opkit/verify/problem/corner_sizes.h"

#include <algorithm>

#include "opkit/soc/soc_spec.h"

namespace opkit::verify {
namespace {

// Elements of a part behind a landmark: enough of them that a part with another one's data shows.
constexpr int64_t kFurther = 37;

constexpr size_t kLandmarks = 8;

// An upper end of a dim that is tried even where it takes a larger problem.
constexpr int64_t kLargestCorner = 8192;

// Elements of 32 bytes in the column's narrowest input.
int64_t block_elements(const OpContract& contract, size_t column) {
  int64_t most = 1;
  for (const Port& port : contract.inputs)
    most = std::max<int64_t>(most, 256 / std::max(bits_of(port.dtypes[column]), 8));
  return most;
}

std::vector<int64_t> usual_sizes(int64_t block, const std::string& name) {
  const int64_t repeat = block * 8;
  std::vector<int64_t> sizes{1,          2,      7,          block - 1, block, block + 1,
                             repeat - 1, repeat, repeat + 1, 127,       1021};
  const auto soc = find_soc(name);
  if (!soc.ok()) return sizes;
  const int64_t cores = std::max<uint32_t>(soc->spec->cores.vector_core, soc->spec->cores.ai_core);
  for (const int64_t near : {cores - 1, cores, cores + 1}) sizes.push_back(near);
  // Whole blocks for every core, and a remainder.
  for (const int64_t line : {block, repeat}) sizes.push_back(cores * line + cores - 1);
  return sizes;
}

void add_landmarks(const std::vector<int64_t>& landmarks, int64_t most,
                   std::vector<int64_t>& sizes) {
  size_t taken = 0;
  for (const int64_t landmark : landmarks) {
    if (landmark > most) continue;
    if (++taken > kLandmarks) break;
    for (const int64_t near : {landmark - 1, landmark, landmark + 1, landmark + kFurther})
      sizes.push_back(near);
  }
}

void take_steps(const Domain& domain, size_t symbol, CornerSizes& corners) {
  const ProblemRules::Steps& steps = domain.steps(symbol);
  const int64_t largest = domain.largest(symbol);
  if (largest <= kLargestCorner) corners.wide.insert(largest);
  if (steps.step > 1) {
    for (int64_t& size : corners.sizes)
      size = std::min(steps.at_least(std::min(size, largest)), largest);
    if (largest <= kLargestCorner) corners.wide.insert(steps.at_least(largest / 2));
    for (const int64_t k : {1, 2}) corners.wide.insert(steps.first + k * steps.step);
    for (const int64_t k : {3, 4, 6}) corners.sizes.push_back(steps.first + k * steps.step);
  }
  corners.sizes.insert(corners.sizes.end(), corners.wide.begin(), corners.wide.end());
}

}  // namespace

CornerSizes corner_sizes(const Domain& domain, size_t symbol, size_t column, const std::string& soc,
                         const std::vector<int64_t>& landmarks) {
  const Symbol& of = domain.contract().symbols[symbol];
  CornerSizes corners;
  corners.sizes = usual_sizes(block_elements(domain.contract(), column), soc);
  add_landmarks(landmarks, domain.budget() / 4, corners.sizes);
  const int64_t most = domain.budget();
  corners.sizes.insert(corners.sizes.end(),
                       {of.bounds.lo, of.bounds.lo + 1, std::min(of.bounds.hi, most),
                        std::min(of.bounds.hi, most / 4)});
  if (of.kind == Symbol::Kind::kDim) take_steps(domain, symbol, corners);
  if (of.bounds.contains(0)) corners.sizes.push_back(0);
  std::vector<int64_t>& sizes = corners.sizes;
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::erase_if(sizes, [&](int64_t size) { return !of.bounds.contains(size); });
  return corners;
}

std::vector<int64_t> halved_ends(const Domain& domain, size_t symbol) {
  std::vector<int64_t> sizes{domain.largest(symbol)};
  while (sizes.back() > 2) {
    const int64_t half = domain.steps(symbol).at_least(sizes.back() / 2);
    if (half >= sizes.back() || !domain.contract().symbols[symbol].bounds.contains(half)) break;
    sizes.push_back(half);
  }
  return sizes;
}

}  // namespace opkit::verify
