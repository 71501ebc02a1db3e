// What of a product need not be multiplied, because A and B hold nothing but +0 there.
#ifndef OPKIT_CORE_FRACTALS_LIVE_VALUES_H_
#define OPKIT_CORE_FRACTALS_LIVE_VALUES_H_

#include "opkit/core/fractals/multiply.h"

namespace opkit::core {

// How many values of k at the start of every stretch are not +0 in all of A and B; 0: all of them
// may be something else, or it was not looked at. Formats of the cube unit fill channels up to 8
// or 16 with zeros, and the first convolution of a network has three. Looks at a few elements of B
// when the last value of a stretch is not 0 there.
uint32_t live_values(Products kind, const PanelProduct& p);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_LIVE_VALUES_H_
