// Rows of 64 floats taken up one after the other, as so many Add or Max instructions would.
#ifndef OPKIT_CORE_ROWS_ROWS_ONTO_H_
#define OPKIT_CORE_ROWS_ROWS_ONTO_H_

#include <cstdint>

namespace opkit::core {

// `times` times: to = to + the next 64 floats of b, each sum rounded by itself.
void add_onto_64(float* to, const float* b, uint32_t times);
// `times` times: to = the larger of to and the next 64 floats of b; a NaN wins, the second of equal
// values wins.
void max_onto_64(float* to, const float* b, uint32_t times);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ROWS_ROWS_ONTO_H_
