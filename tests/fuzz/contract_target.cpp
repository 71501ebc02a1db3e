// What a fuzzer runs: every reader of contract text, and whatever works on a contract that was
// accepted. Returns normally for any bytes; a broken promise of the readers traps.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "opkit/base/document.h"
#include "opkit/call/infer/infer.h"
#include "opkit/contract/diff.h"
#include "opkit/contract/explain.h"
#include "opkit/contract/import_msopgen.h"

namespace {

using namespace opkit;

void promise(bool kept, const char* what, const std::string& text) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s for:\n%s\n", what, text.c_str());
  std::abort();
}

void check_error(const Error& error, const std::string& text) {
  promise(error.code.starts_with("OPK-"), "an error has a code", text);
  promise(!error.message.empty(), "an error has a message", text);
  promise(!error.action.empty(), "an error suggests an action", text);
}

void use_cases(const OpContract& contract, const std::string& text) {
  for (const std::vector<Case>* cases : {&contract.tests, &contract.bench}) {
    for (const Case& one : *cases) {
      const auto shapes = shapes_from_symbols(contract, one.symbols, one.attrs);
      if (!shapes.ok()) check_error(shapes.error(), text);
    }
  }
}

void use_contract(const OpContract& contract, const std::string& text) {
  promise(diff_contracts(contract, contract).changes.empty(), "a contract equals itself", text);
  promise(!explain_text(contract).empty(), "a contract can be explained", text);
  use_cases(contract, text);
  std::vector<PortFacts> inputs;
  for (const Port& port : contract.inputs) {
    TensorFacts facts;
    facts.desc = {port.name, port.dtypes[0], Shape::unknown_rank(), port.formats[0]};
    inputs.push_back({facts});
  }
  const auto outputs = infer(contract, std::span<const PortFacts>(inputs), {});
  if (!outputs.ok()) check_error(outputs.error(), text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto document = Document::parse(text, "fuzz.yaml");
  if (!document.ok()) check_error(document.error(), text);
  const OpContract::Checked checked = OpContract::check(text, "fuzz.yaml");
  for (const Error& message : checked.messages) check_error(message, text);
  if (checked.ok()) use_contract(*checked.contract, text);
  const auto imported = import_msopgen(text, "fuzz.json");
  if (!imported.ok()) check_error(imported.error(), text);
  for (const bool shape : {false, true}) {
    if (shape) {
      const auto items = Expr::parse_shape(text, {"fuzz", 1, 1});
      if (!items.ok()) check_error(items.error(), text);
    } else if (const auto expression = Expr::parse(text, {"fuzz", 1, 1}); expression.ok()) {
      const std::string printed = expression->to_string();
      const auto again = Expr::parse(printed, {"fuzz", 1, 1});
      const bool fits = printed.size() <= 4096;  // spaces around operators make it longer
      promise(!fits || (again.ok() && again->to_string() == printed), "printed text parses alike",
              text);
    }
  }
  return 0;
}
