// An installed op as an entrant: one prepared call, launched in Fast mode in this process.
#ifndef TESTS_BENCH_PEERS_OPKIT_CALL_H_
#define TESTS_BENCH_PEERS_OPKIT_CALL_H_

#include <map>
#include <string>

#include "opkit/base/dtype.h"
#include "opkit/contract/op_contract.h"
#include "tests/bench/peers/contest.h"

namespace opkit::peers {

struct Given {
  Dims dims;
  Floats values;
  bool integers = false;  // int32, whatever the call's type is
};

// The op on these inputs, by port; ports that are not named are absent. Error: why there is none.
Result<Entrant> opkit_call(const std::string& op, DType dtype,
                           const std::map<std::string, Given>& inputs, const AttrValues& attrs,
                           unsigned threads);

}  // namespace opkit::peers

#endif  // TESTS_BENCH_PEERS_OPKIT_CALL_H_
