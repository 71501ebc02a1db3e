// What a fuzzer runs: the first byte chooses a reader, the rest is what it reads. Returns normally
// for any bytes; a broken promise of a reader traps.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include "opkit/atc/memory/csv.h"
#include "opkit/base/file.h"
#include "opkit/base/npz.h"
#include "opkit/build/codegen/kernel_source.h"
#include "opkit/build/codegen/read_kernel.h"
#include "opkit/build/source_text/source.h"
#include "opkit/soc/soc_spec.h"
#include "readers.h"
#include "registry/archive.h"
#include "registry/elf.h"
#include "registry/key_store.h"
#include "registry/lock_file.h"
#include "registry/lookup_index.h"
#include "registry/manifest.h"
#include "registry/pending_change.h"
#include "registry/quarantine.h"
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

// Tells whether what was read can be written and read again.
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

// An empty folder for each call, in memory where the host has that.
const std::filesystem::path& unpacking() {
  static const std::filesystem::path folder = [] {
    const bool shared = ::access("/dev/shm", W_OK | X_OK) == 0;
    std::string name =
        (shared ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
        "opkit_fuzz_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) broken("a temporary folder can be made");
    std::atexit([] { std::filesystem::remove_all(unpacking()); });
    return std::filesystem::path(name);
  }();
  return folder;
}

// Whatever was unpacked lies below the folder, and is a plain file or a folder.
bool archive(std::string_view bytes) {
  const std::filesystem::path file = unpacking() / "mutant.opkg", out = unpacking() / "out";
  std::filesystem::remove_all(out);
  std::filesystem::create_directory(out);
  if (!write_file(file, bytes).ok()) broken("a mutant can be written");
  const bool good = !refused(registry::unpack(file, out));
  for (const auto& each : std::filesystem::recursive_directory_iterator(out)) {
    const auto status = each.symlink_status();
    if (!std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status))
      broken("packages hold plain files and folders");
  }
  const auto all = std::filesystem::directory_iterator(unpacking());
  if (std::distance(begin(all), end(all)) != 2) broken("nothing lies beside the folder");
  return good;
}

bool crashes(std::string_view bytes) { return registry::read_crashes(bytes).has_value(); }

// What was read is written as it was.
bool buffers(std::string_view bytes) {
  const auto table = memory_plan::parse_csv(bytes, "mutant.csv");
  if (refused(table)) return false;
  const memory_plan::Offsets* offsets = table->offsets ? &*table->offsets : nullptr;
  const std::string text = to_csv(table->buffers, offsets);
  const auto again = memory_plan::parse_csv(text, "again.csv");
  if (refused(again)) broken("a table is read again");
  if (to_csv(again->buffers, again->offsets ? &*again->offsets : nullptr) != text)
    broken("a table stays what it is");
  return true;
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
    case Reader::kArchive: return archive(bytes);
    case Reader::kCrashes: return crashes(bytes);
    case Reader::kBuffers: return buffers(bytes);
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
