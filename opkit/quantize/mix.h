// Mixed precision: which layers compute in int8, float16 or float32, on numbers alone.
//
// A layer has a time and a noise in each type, and a conversion costs time where neighbours differ.
// Noises add up, as those of independent small errors do.
#ifndef OPKIT_QUANTIZE_MIX_H_
#define OPKIT_QUANTIZE_MIX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace opkit::quantize {

enum class Kind : uint8_t { kInt8, kHalf, kSingle };
inline constexpr size_t kKinds = 3;
std::string_view name_of(Kind kind);

// What a type that a layer does not have takes.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

struct MixLayer {
  std::array<double, kKinds> time = {}, noise = {};
};
struct MixEdge {
  size_t from = 0, to = 0;
  double conversion = 0;  // time, where their types differ
};
struct MixProblem {
  std::vector<MixLayer> layers;
  std::vector<MixEdge> edges;
};

struct Mix {
  std::vector<Kind> kinds;
  double time = 0, noise = 0;
};
// Returns what an assignment takes and gives.
Mix mix_of(const MixProblem& problem, std::vector<Kind> kinds);

struct Front {
  std::vector<Mix> mixes;  // none is beaten by another one in both; the fastest first
  bool exact = false;  // says that all assignments were weighed; else only what a search has met
};

// Exact where the edges join layers in chains and not too many assignments are worth keeping; else
// a search, which meets the same assignments for the same seed.
Front mix_front(const MixProblem& problem, uint32_t seed);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_MIX_H_
