#include "tests/conformance/second_truth.h"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace conformance {

double true_erf(double x) { return boost::math::erf(x); }
double true_erfc(double x) { return boost::math::erfc(x); }
double true_lgamma(double x) { return boost::math::lgamma(x); }
double true_digamma(double x) { return boost::math::digamma(x); }

}  // namespace conformance
