// The cases: opkit's op, oneDNN with post-ops, and the same computed by calls of one operator each.
#ifndef TESTS_BENCH_PEERS_CASES_H_
#define TESTS_BENCH_PEERS_CASES_H_

#include <functional>
#include <map>
#include <string>

#include "tests/bench/peers/opkit_call.h"

namespace opkit::peers {

// A case, and how it is built for one number of threads.
struct Case {
  std::string name;
  std::function<Contest(DType dtype, unsigned threads)> make;
};

// A contest in which opkit's op, when it is installed, comes first.
Contest contest_of(DType dtype, const std::string& op, const std::map<std::string, Given>& inputs,
                   const AttrValues& attrs, unsigned threads);

// fused: there is a primitive with post-ops; apart: single calls.
inline constexpr const char *kFused = "oneDNN, post-ops", *kApart = "oneDNN, single calls";
// The targets: against the fused primitive; against single calls where there is no such
// primitive, or what half asks of the best there is.
std::vector<Goal> goals_against(DType dtype, bool has_fused, double in_half);

std::vector<Case> elementwise_cases();  // include rows: normalisation, softmax
std::vector<Case> product_cases();      // multiply matrices, with attention and the LSTM cell
std::vector<Case> convolution_cases();
std::vector<Case> separable_cases();  // depthwise, then pointwise
std::vector<Case> embedding_cases();

}  // namespace opkit::peers

#endif  // TESTS_BENCH_PEERS_CASES_H_
