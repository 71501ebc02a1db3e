#include "opkit/cli/options/generated.h"

#include "opkit/verify/data/generate.h"

namespace opkit::cli {

Filler uniform(uint64_t seed) {
  return [seed](const Blank& blank) {
    verify::fill(blank.tensor, {.data = verify::DataClass::kUniform,
                                .seed = seed,
                                .port = blank.port,
                                .instance = blank.instance,
                                .range = blank.range,
                                .elements = blank.elements});
  };
}

}  // namespace opkit::cli
