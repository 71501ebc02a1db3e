// The cases of the conformance suite, read from its sources.
#ifndef TESTS_COVERAGE_CONFORMANCE_TESTS_H_
#define TESTS_COVERAGE_CONFORMANCE_TESTS_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace opkit::coverage {

// "Suite.Case" -> the words of the code of its source file; comments do not count.
std::map<std::string, std::set<std::string>> conformance_tests(const std::filesystem::path& folder);

}  // namespace opkit::coverage

#endif  // TESTS_COVERAGE_CONFORMANCE_TESTS_H_
