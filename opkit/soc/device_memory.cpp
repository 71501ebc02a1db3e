#include "opkit/soc/device_memory.h"

#include "opkit/base/document.h"

namespace opkit {

bool has_hbm(const SocSpec& spec) {
  const auto file = Document::parse(soc_text(spec.name), spec.name);
  const Value* memory = file.ok() ? file->root().find("memory") : nullptr;
  const Value* kind = memory ? memory->find("kind") : nullptr;
  return kind && kind->text == "hbm";
}

}  // namespace opkit
