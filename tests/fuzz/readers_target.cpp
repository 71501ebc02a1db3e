// What a fuzzer runs: the first byte chooses a reader, the rest is what it reads. Returns normally
// for any bytes; a broken promise of a reader traps.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "opkit/base/npz.h"
#include "opkit/codegen/kernel_source.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/source_text/source.h"
#include "readers.h"
#include "registry/elf.h"
#include "registry/key_store.h"
#include "registry/lock_file.h"
#include "registry/lookup_index.h"
#include "registry/manifest.h"
#include "registry/pending_change.h"
#include "registry/signature.h"
#include "registry/trust.h"

namespace opkit::fuzz {
namespace {

[[noreturn]] void broken(const std::string& promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise.c_str());
  std::abort();
}

template <typename Read>
bool refused(const Read& read) {
  if (read.ok()) return false;
  const Error& error = read.error();
  if (!error.code.starts_with("OPK-") || error.message.empty() || error.action.empty())
    broken("an error has code, message and action: " + error.to_string());
  return true;
}

// What was read can be written and read again.
bool npy(std::string_view bytes) {
  const auto tensor = parse_npy(bytes, "mutant.npy");
  if (refused(tensor)) return false;
  const auto text = encode_npy(*tensor);
  if (text.ok() && refused(parse_npy(*text, "again.npy"))) broken("npy is read again");
  return true;
}

bool npz(std::string_view bytes) { return !refused(parse_npz(bytes, "mutant.npz")); }

bool manifest(std::string_view bytes) {
  const auto read = registry::parse_manifest(bytes, "manifest.yaml");
  if (refused(read)) return false;
  if (refused(registry::parse_manifest(to_yaml(*read), "again.yaml")))
    broken("a manifest is read again");
  return true;
}

bool elf(std::string_view bytes) { return !refused(registry::read_elf(bytes, "mutant.so")); }
bool soc(std::string_view bytes) { return !refused(parse_soc(bytes, "mutant.yaml")); }

bool program(std::string_view bytes) {
  const std::string text(bytes);
  const auto source = source_text::read_source(text, "mutant.asc");
  if (refused(source)) return false;
  const auto lines = [](const std::string& of) { return std::count(of.begin(), of.end(), '\n'); };
  if (lines(source->rewritten) != lines(text)) broken("lines stay where they are");
  return true;
}

bool kernel(std::string_view bytes) {
  return !refused(codegen::read_kernel_text(std::string(bytes), "mutant.cpp", "add"));
}

// These have one spelling: what is taken is what would be written.
template <typename Read>
bool spelled(const Read& read, std::string_view bytes) {
  if (refused(read)) return false;
  if (to_text(*read) != bytes) broken("a text has one spelling");
  return true;
}

bool signature(std::string_view bytes) {
  return spelled(registry::parse_signature(bytes, "package.sig"), bytes);
}
bool trust(std::string_view bytes) { return spelled(registry::parse_trust(bytes, "trust"), bytes); }
bool lock(std::string_view bytes) { return spelled(registry::parse_lock(bytes, "l"), bytes); }
bool pending(std::string_view bytes) {
  return spelled(registry::parse_pending(bytes, "pending"), bytes);
}
bool key(std::string_view bytes) { return spelled(registry::parse_vendor_key(bytes, "k"), bytes); }

// Whatever is left of a damaged index is written and read again as it was.
bool lookups(std::string_view bytes) {
  registry::LookupIndex index("/opp"), again("/opp");
  const auto read = index.read(std::string(bytes));
  size_t known = 0;
  for (const std::string& name : index.names()) known += index.find(name, "m").has_value();
  if (again.read(index.to_bytes()) != registry::LookupIndex::Read::kWhole)
    broken("an index is read again");
  for (const std::string& name : index.names())
    if (index.find(name, "m").has_value() != again.find(name, "m").has_value())
      broken("a part stays what it is");
  return read == registry::LookupIndex::Read::kWhole && known == index.names().size();
}

}  // namespace

bool accepts(Reader reader, std::string_view bytes) {
  switch (reader) {
    case Reader::kNpy: return npy(bytes);
    case Reader::kNpz: return npz(bytes);
    case Reader::kManifest: return manifest(bytes);
    case Reader::kElf: return elf(bytes);
    case Reader::kSoc: return soc(bytes);
    case Reader::kProgram: return program(bytes);
    case Reader::kKernel: return kernel(bytes);
    case Reader::kSignature: return signature(bytes);
    case Reader::kTrust: return trust(bytes);
    case Reader::kPending: return pending(bytes);
    case Reader::kKey: return key(bytes);
    case Reader::kLock: return lock(bytes);
    case Reader::kLookups: return lookups(bytes);
    case Reader::kCount: break;
  }
  return false;
}

}  // namespace opkit::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace opkit::fuzz;
  if (size == 0) return 0;
  const auto reader = static_cast<Reader>(data[0] % static_cast<uint8_t>(Reader::kCount));
  accepts(reader, {reinterpret_cast<const char*>(data + 1), size - 1});
  return 0;
}
