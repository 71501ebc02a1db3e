// What a fuzzer runs: the readers of ONNX bytes, inference and the canonical form of what was
// accepted. Returns normally for any bytes; a broken promise traps.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "opkit/frontend/onnx/import.h"
#include "opkit/graph/text.h"
#include "opkit/passes/rewrite.h"
#include "opkit/reference/infer.h"

namespace {

using namespace opkit;

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

void check_error(const Error& error) {
  promise(error.code.starts_with("OPK-"), "an error has a code: " + error.to_string());
  promise(!error.message.empty(), "an error has a message: " + error.code);
  promise(!error.action.empty(), "an error suggests an action: " + error.to_string());
}

// A few small tensors make a graph cheap; inference may not allocate more than that.
bool is_small(const graph::Graph& graph, size_t bytes) {
  size_t values = 0;
  for (const auto& [name, value] : graph.values) {
    if (value.constant != nullptr) values += value.constant->values.size();
  }
  return values <= 8 * bytes;  // of one bit or more each
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
  return 0;
}
