// Fitness: what a fused kernel of a chain would take to write, and what speaks against it.
#ifndef OPKIT_FUSION_ANALYZE_FITNESS_H_
#define OPKIT_FUSION_ANALYZE_FITNESS_H_

#include <string>
#include <vector>

#include "opkit/fusion/analyze/gain.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::analyze {

struct FitnessCheck {
  bool green = true;
  std::string text;  // "one result", "2 values leave it: a, b"
};

// What writing the op takes.
enum class WritingEffort {
  kWritten = 1,      // opkit new --from-model writes it
  kElementwise = 2,  // the template elementwise, another formula
  kRows = 3,         // the template reduction
  kProduct = 4,      // the template matmul or conv, another epilogue
  kOther = 6,        // no template: a convolution in groups, a pool, a gather
};
const char* name_of(WritingEffort effort);

struct Fitness {
  WritingEffort effort = WritingEffort::kOther;
  std::string template_name;  // empty: there is none
  // Results, element types, oracle, UB, traffic, of formulas the chip.
  std::vector<FitnessCheck> checks;
  // Counts what one element of a tile takes of UB, with two buffers for each tensor.
  uint64_t bytes_per_element = 0;

  bool green() const;  // every check is
};

// Judges a chain of the compiled model; `gains` are the model's.
Fitness fitness_of(const compile::Compiled& compiled, const Chain& chain, const Gains& gains,
                   const SocSpec& soc);

}  // namespace opkit::analyze

#endif  // OPKIT_FUSION_ANALYZE_FITNESS_H_
