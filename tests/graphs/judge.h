// Random graphs through the canonical form, and through a whole compilation, beside what the
// interpreter says of them as they are, in their own version of the operators.
#ifndef TESTS_GRAPHS_JUDGE_H_
#define TESTS_GRAPHS_JUDGE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/graph/graph.h"
#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/passes/rewrite.h"

namespace opkit::graph_tests {

enum class Verdict {
  kSame,
  kUndefined,  // the interpreter gives no values, as of NaN cast to an integer
  kRefused,    // opkit takes no such model; the text says why
  kWrong,
};

struct Judged {
  Verdict verdict = Verdict::kSame;
  std::string text;
};

// For every input of the graph, always the same.
reference::NamedTensors drawn_inputs(const graph::Graph& graph, bool integers);

// The canonical form alone, evaluated by the interpreter. `planted`: a mistake that the canonical
// form is given; kUndefined when it changes nothing, or leaves a graph that is none.
Judged judge_canonical(const graph::Graph& graph, const passes::Rewrite* planted = nullptr);
// Compiled with these ops and run on the emulated chip. `planted`: likewise, of the graph that is
// compiled.
Judged judge_compiled(const graph::Graph& graph, const InstalledOps& ops,
                      const passes::Rewrite* planted = nullptr);

// The ops that tests use, or null when none are installed.
struct TestOps {
  std::unique_ptr<registry::Registry> registry;
  std::unique_ptr<InstalledOps> ops;
};
TestOps open_test_ops();

// The graph number `seed` of all; its version lies in 7 to 23.
graph::Graph random_graph(uint64_t seed);

// What came of many.
struct Report {
  std::map<Verdict, size_t> verdicts;
  std::map<std::string, size_t> refusals;   // counts refusals by code
  std::map<std::string, size_t> operators;  // nodes of all graphs
  std::map<int, size_t> versions;           // graphs

  void add(const graph::Graph& graph, const Judged& judged);
  std::string text() const;
};

}  // namespace opkit::graph_tests

#endif  // TESTS_GRAPHS_JUDGE_H_
