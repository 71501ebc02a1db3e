// docs/ascendc-coverage.md: what the list and the compiler say together.
#ifndef TESTS_COVERAGE_PAGE_H_
#define TESTS_COVERAGE_PAGE_H_

#include <set>
#include <string>
#include <vector>

#include "tests/coverage/probe.h"

namespace opkit::coverage {

// twins: every word that occurs in the conformance tests.
std::string to_markdown(const std::vector<Finding>& findings, const std::set<std::string>& twins);

// The identifier that a call's tests must mention: "DataCopyPad" of "DataCopyPad, in".
std::string word_of(const std::string& call_name);

// Every word of the sources below a folder.
std::set<std::string> words_below(const std::filesystem::path& folder);

}  // namespace opkit::coverage

#endif  // TESTS_COVERAGE_PAGE_H_
