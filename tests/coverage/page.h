// docs/ascendc-coverage.md: what the list, the compiler and the conformance suite say together.
#ifndef TESTS_COVERAGE_PAGE_H_
#define TESTS_COVERAGE_PAGE_H_

#include <string>
#include <vector>

#include "tests/coverage/probe.h"

namespace opkit::coverage {

std::string to_markdown(const std::vector<Finding>& findings);

// The identifier that a call's test must mention: "DataCopyPad" of "DataCopyPad, in".
std::string word_of(const std::string& call_name);

}  // namespace opkit::coverage

#endif  // TESTS_COVERAGE_PAGE_H_
