// How far one tensor is from another one that should be the same.
#ifndef OPKIT_QUANTIZE_DISTANCE_H_
#define OPKIT_QUANTIZE_DISTANCE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/graph/ref_tensor.h"

namespace opkit::quantize {

// Sums over elements, which may come from several samples.
struct Distance {
  double signal = 0, noise = 0, other = 0, dot = 0;  // squares of a, of b - a, of b; a times b
  double largest = 0, total = 0;                     // errors
  uint64_t count = 0, dead = 0, odd = 0;  // elements; 0 in b and not in a; finite in one alone

  // REQUIRES: as many elements.
  void add(const graph::RefTensor& a, const graph::RefTensor& b);
  void add(const Distance& more);

  // Signal to noise in decibels; infinite where both are equal.
  double decibels() const;
  double cosine() const;
  double mean() const { return count == 0 ? 0 : total / static_cast<double>(count); }
  double dead_share() const {
    return count == 0 ? 0 : static_cast<double>(dead) / static_cast<double>(count);
  }
  // Noise as a share of the signal.
  double relative() const;
};

// How often two classifiers agree, and how often each is right.
struct Agreement {
  uint64_t rows = 0, same = 0, in_five = 0;  // b's first is a's; a's first is among b's five
  uint64_t unordered = 0;                    // rows with a NaN in one, which never agree
  uint64_t labelled = 0, right_a = 0, right_b = 0, five_a = 0, five_b = 0;

  // Compares the rows of scores; labels may be empty, else one for each row.
  void add(const graph::RefTensor& a, const graph::RefTensor& b,
           const std::vector<int64_t>& labels);
  void add(const Agreement& more);
};

// Tells whether the tensor holds a row of scores per sample: [N, C], dims of 1 left aside.
bool is_scores(const graph::RefTensor& tensor);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_DISTANCE_H_
