// Special functions of Boost.Math: a second truth beside the C library, by which the engine
// computes some of them.
#ifndef OPKIT_TESTS_CONFORMANCE_SECOND_TRUTH_H_
#define OPKIT_TESTS_CONFORMANCE_SECOND_TRUTH_H_

namespace conformance {

double true_erf(double x);
double true_erfc(double x);
double true_lgamma(double x);
double true_digamma(double x);

}  // namespace conformance

#endif  // OPKIT_TESTS_CONFORMANCE_SECOND_TRUTH_H_
