// Cases of a contract's `bench` as calls.
#ifndef OPKIT_MEASURE_BENCH_BENCH_CASE_H_
#define OPKIT_MEASURE_BENCH_BENCH_CASE_H_

#include <string>

#include "opkit/measure/said/said_call.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::measure {

// Shapes, dtypes, formats and attributes of the case in a column of the contract.
Result<SaidCall> options_of_case(const OpContract& contract, const Case& one, size_t column);

// "M=512, N=3072, alpha=0.5".
std::string text_of_case(const OpContract& contract, const Case& one);

// Tells whether the chip has the column's element types.
bool on_chip(const OpContract& contract, size_t column, const SocSpec& soc);

// Returns the case with this number, counted from 1. OPK-CLI-022: the contract has no such case.
Result<const Case*> bench_case(const OpContract& contract, int64_t number);

}  // namespace opkit::measure

#endif  // OPKIT_MEASURE_BENCH_BENCH_CASE_H_
