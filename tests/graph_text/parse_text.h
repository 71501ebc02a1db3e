// Graphs that tests write as text, in the form that opkit/graph/text.h describes.
#ifndef OPKIT_TESTS_GRAPH_TEXT_PARSE_TEXT_H_
#define OPKIT_TESTS_GRAPH_TEXT_PARSE_TEXT_H_

#include <string>
#include <string_view>

#include "opkit/graph/text.h"

namespace opkit::graph {

// Returns the graph of a text, not validated. An error of the code TEXT names line and column in
// `file`.
Result<Graph> parse_text(std::string_view text, const std::string& file = "graph");

}  // namespace opkit::graph

#endif  // OPKIT_TESTS_GRAPH_TEXT_PARSE_TEXT_H_
