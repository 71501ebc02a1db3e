// What a fuzzer runs: the first byte chooses a file of atc, the rest is its text. Returns normally
// for any bytes; a broken promise traps.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "atc_files.h"
#include "opkit/atc/compile/aipp.h"
#include "opkit/atc/compile/gears.h"
#include "opkit/atc/compile/model_interface.h"
#include "opkit/atc/compile/precision.h"
#include "opkit/atc/compile/single_op.h"
#include "opkit/atc/compile/switches.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::fuzz {
namespace {

[[noreturn]] void broken(const std::string& promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
  std::abort();
}

// document: the file is one of the documents whose form has codes of its own.
template <typename Read>
bool refused(const Read& read, bool document = false) {
  if (read.ok()) return false;
  const Error& error = read.error();
  const bool code =
      error.code == "E10001" || error.code == "E10002" || (document && !error.code.empty());
  if (!code || error.message.empty() || error.action.empty())
    broken("an error has code, message and action: " + error.to_string());
  return true;
}

graph::Graph net() {
  auto graph = graph::parse_text(
      "graph \"net\" opset 13\ninput x: float32[1, 3, 8, 8]\ninput m: float32[2, 4, 6, 6]\n"
      "r = Relu(x) @\"first\"\ns = Softmax(r) {axis=1} @\"second\"\nn = Neg(m)\noutput s\noutput "
      "n\n");
  if (!graph.ok() || !reference::infer(*graph).ok()) broken("the net of the target is one");
  return std::move(graph).value();
}

// Tells whether what was put in front of the model fits it.
bool aipp(std::string_view text) {
  const auto all = compile::parse_aipp(text, "aipp.cfg");
  if (refused(all)) return false;
  graph::Graph graph = net();
  if (refused(compile::insert_aipp(graph, *all, model::GearKind::kNone))) return false;
  const auto inferred = reference::infer(graph);
  if (!inferred.ok()) broken("the model can be inferred: " + inferred.error().to_string());
  const auto& shape = graph.values.at("s").shape;
  if (!shape || *shape != Shape{1, 3, 8, 8}) broken("the model takes what AIPP gives");
  return true;
}

bool kept(std::string_view text) {
  compile::PrecisionOptions options;
  const graph::Graph graph = net();
  if (refused(compile::read_kept(text, "keep.cfg", graph, options))) return false;
  if (options.keep_nodes.size() + options.keep_types.size() > text.size())
    broken("names are those of the file");
  return true;
}

bool switches(std::string_view text) { return !refused(compile::parse_switches(text, "f.cfg")); }

template <size_t N>
std::array<std::string, N> lines(std::string_view text) {
  std::array<std::string, N> all;
  for (std::string& line : all) {
    const size_t end = std::min(text.find('\n'), text.size());
    line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

bool gears(std::string_view text) {
  const auto flags = lines<5>(text);
  const auto read = compile::read_gears({flags[0], flags[1], flags[2], flags[3], flags[4]});
  if (refused(read)) return false;
  if (read->values.size() > model::kMostGears || read->shapes.size() != read->values.size())
    broken("there are 100 gears at most, and shapes for each");
  for (const auto& shapes : read->shapes) {
    for (const auto& [name, shape] : shapes) {
      if (!shape.is_static()) broken("every gear states every dim of " + name);
    }
  }
  return true;
}

bool single_ops(std::string_view text) {
  const auto read = compile::read_single_ops(text, "ops.json");
  if (refused(read, true)) return false;
  std::set<std::string> files;
  for (const compile::SingleOp& op : *read) {
    if (!files.insert(op.file).second || op.file.find('/') != std::string::npos)
      broken("every model has a file of its own in the folder: " + op.file);
    for (const auto& tensor : op.inputs) {
      if (!tensor.absent && !tensor.desc.shape.is_static()) broken("dims are known");
      if (tensor.constant &&
          static_cast<int64_t>(tensor.constant->values.size()) != tensor.desc.shape.elements())
        broken("a constant has its values");
    }
  }
  return true;
}

bool model_interface(std::string_view text) {
  const auto flags = lines<3>(text);
  graph::Graph graph = net();
  if (refused(compile::change_interface(graph, {flags[0], flags[1], flags[2]}))) return false;
  if (!graph::validate(graph).ok()) broken("the graph is whole");
  for (const std::string& output : graph.outputs) {
    if (!graph.values.at(output).shape) broken("what is known of outputs stays known");
  }
  return true;
}

}  // namespace

bool accepts(AtcFile file, std::string_view text) {
  switch (file) {
    case AtcFile::kAipp: return aipp(text);
    case AtcFile::kKept: return kept(text);
    case AtcFile::kSwitches: return switches(text);
    case AtcFile::kGears: return gears(text);
    case AtcFile::kSingleOps: return single_ops(text);
    case AtcFile::kInterface: return model_interface(text);
    case AtcFile::kCount: break;
  }
  return false;
}

}  // namespace opkit::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace opkit::fuzz;
  if (size == 0) return 0;
  const auto file = static_cast<AtcFile>(data[0] % static_cast<uint8_t>(AtcFile::kCount));
  accepts(file, {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
