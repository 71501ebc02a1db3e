// The contract of a text that a test writes.
#ifndef OPKIT_TESTS_UNIT_VERIFY_PARSED_CONTRACT_H_
#define OPKIT_TESTS_UNIT_VERIFY_PARSED_CONTRACT_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "opkit/contract/op_contract.h"

namespace opkit::verify {

inline OpContract contract_of(const std::string& text) {
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

}  // namespace opkit::verify

#endif  // OPKIT_TESTS_UNIT_VERIFY_PARSED_CONTRACT_H_
