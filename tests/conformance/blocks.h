// Runs kernel code as every core of a launch of several blocks, and gives back what it left in GM.
#ifndef TESTS_CONFORMANCE_BLOCKS_H_
#define TESTS_CONFORMANCE_BLOCKS_H_

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "opkit/core/machine.h"

namespace conformance {

struct Blocks {
  uint32_t count = 1;
  int32_t task_type = OPK_TASK_AIV_ONLY;
  uint64_t tiling_key = 0;
  bool raw = false;  // the body looks at memory through pointers, which no observer can follow
};

// The body gets the launch's GM memory. It runs on one host thread and on two; both must leave the
// same bytes and print the same text.
struct BlocksOutcome {
  std::vector<uint8_t> gm;
  std::string printed;
  opkit::core::Faults faults;
};
BlocksOutcome run_blocks(const std::vector<uint8_t>& gm, const std::function<void(uint8_t*)>& body,
                         const Blocks& blocks);

// Runs over elements; the launch is expected to succeed.
template <typename T>
std::vector<T> run_blocks(const std::vector<T>& gm, const std::function<void(T*)>& body,
                          const Blocks& blocks = {}) {
  std::vector<uint8_t> bytes(gm.size() * sizeof(T));
  std::memcpy(bytes.data(), gm.data(), bytes.size());
  const BlocksOutcome outcome = run_blocks(
      bytes, [&](uint8_t* data) { body(reinterpret_cast<T*>(data)); }, blocks);
  for (const auto& fault : outcome.faults) ADD_FAILURE() << fault.code << " " << fault.message;
  std::vector<T> after(gm.size());
  std::memcpy(after.data(), outcome.gm.data(), bytes.size());
  return after;
}

}  // namespace conformance

#endif  // TESTS_CONFORMANCE_BLOCKS_H_
