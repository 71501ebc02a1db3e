// fuzz_graphs [--seed N] [--count N] [--compiled | --write FOLDER]: judges random graphs from seed
// N on, prints those that are wrong and what came of all. --compiled: with the installed ops, on
// the emulated chip. --write: writes N.onnx, and N.json with what the interpreter says, instead.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "opkit/base/file.h"
#include "opkit/graph/text.h"
#include "tests/graphs/judge.h"
#include "tests/graphs/write_onnx.h"

namespace {

void write(const std::string& stem, const opkit::graph::Graph& graph) {
  const std::string data = opkit::graph_tests::data_json(graph);
  if (data.empty()) return;
  (void)opkit::write_file(stem + ".onnx", opkit::graph_tests::onnx_bytes(graph));
  (void)opkit::write_file(stem + ".json", data);
}

}  // namespace

int main(int count_of_words, char** words) {
  using namespace opkit;
  uint64_t seed = 1, count = 20000;
  bool compiled = false;
  std::string folder;
  for (int i = 1; i < count_of_words; ++i) {
    const std::string word = words[i];
    if (word == "--compiled") {
      compiled = true;
    } else if (i + 1 < count_of_words && (word == "--seed" || word == "--count")) {
      (word == "--seed" ? seed : count) = std::stoull(words[++i]);
    } else if (i + 1 < count_of_words && word == "--write") {
      folder = words[++i];
    } else {
      fmt::print(stderr, "fuzz_graphs [--seed N] [--count N] [--compiled | --write FOLDER]\n");
      return 2;
    }
  }
  const graph_tests::TestOps opened =
      compiled ? graph_tests::open_test_ops() : graph_tests::TestOps();
  if (compiled && !opened.ops) return fmt::print(stderr, "no packages: run `make ops` first\n"), 2;
  graph_tests::Report report;
  for (uint64_t i = seed; i < seed + count; ++i) {
    const graph::Graph graph = graph_tests::random_graph(i);
    if (!folder.empty()) {
      write(folder + "/" + std::to_string(i), graph);
      continue;
    }
    const auto judged = compiled ? graph_tests::judge_compiled(graph, *opened.ops)
                                 : graph_tests::judge_canonical(graph);
    report.add(graph, judged);
    if (judged.verdict == graph_tests::Verdict::kWrong)
      fmt::print("seed {}: {}\n{}\n", i, judged.text, graph::to_text(graph));
    std::fflush(stdout);
  }
  fmt::print("{} graphs from seed {} on\n{}", count, seed, report.text());
  return report.verdicts[graph_tests::Verdict::kWrong] == 0 ? 0 : 1;
}
