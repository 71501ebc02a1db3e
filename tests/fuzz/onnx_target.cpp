// What a fuzzer runs: the readers of ONNX bytes, inference, the canonical form and the compilation
// of what was accepted. Returns normally for any bytes; a broken promise traps.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "opkit/atc/compile/compile.h"
#include "opkit/model/file/validate.h"
#include "opkit/reference/infer.h"
#include "opkit/rewrite/onnx/import.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "tests/graph_text/parse_text.h"

namespace {

using namespace opkit;

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

void check_error(const Error& error) {
  const bool known = error.code.starts_with("OPK-") || error.code == "E19010";  // the vendor's own
  promise(known, "an error has a code: " + error.to_string());
  promise(!error.message.empty(), "an error has a message: " + error.code);
  promise(!error.action.empty(), "an error suggests an action: " + error.to_string());
}

// A few small tensors make a graph cheap; inference may not allocate more than that.
bool is_small(const graph::Graph& graph, size_t bytes) {
  size_t values = 0;
  for (const auto& [name, value] : graph.values) {
    if (value.constant != nullptr) values += value.constant->values.size();
  }
  return values <= 8 * bytes;  // take one bit or more each
}

// Without any op: everything runs on the host.
void compile_alone(graph::Graph graph) {
  compile::Options options;
  options.candidates.soc = "Ascend910B1";
  const auto made = compile::compile(std::move(graph), InstalledOps(), options);
  if (!made.ok()) {
    promise(!made.error().message.empty() && !made.error().action.empty(),
            "an error says what and suggests an action: " + made.error().to_string());
    return;
  }
  const Status valid = model::validate(made->model());
  promise(valid.ok(), "an offline model fits itself" + (valid.ok() ? "" : valid.error().message));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto tensor = onnx_frontend::read_tensor(bytes);
  if (!tensor.ok()) check_error(tensor.error());
  auto graph = onnx_frontend::import_model(bytes);
  if (!graph.ok()) return check_error(graph.error()), 0;
  promise(is_small(*graph, size), "constants hold no more than the file");
  const auto again = graph::parse_text(to_text(*graph));
  promise(again.ok() && to_text(*again) == to_text(*graph), "a graph's text reads back");
  const Status inferred = reference::infer(*graph);
  if (!inferred.ok()) return check_error(inferred.error()), 0;
  const auto changes = passes::canonicalize(*graph);
  if (!changes.ok()) check_error(changes.error());
  promise(!changes.ok() || graph::validate(*graph).ok(), "a canonical graph is valid");
  if (changes.ok()) compile_alone(std::move(*graph));
  return 0;
}
