// manifest.yaml of a package: what it holds and what it needs, readable before anything is loaded.
// docs/opp.md lists the fields.
#ifndef OPKIT_REGISTRY_MANIFEST_H_
#define OPKIT_REGISTRY_MANIFEST_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

inline constexpr int kManifestFormat = 1;

// One entry point of the library; absent numbers mean "any".
struct KernelEntry {
  std::string name;                // is what the kernel source says
  std::optional<uint32_t> column;  // dtype/format column of the contract
  std::optional<uint64_t> tiling_key;
  std::string task_type;  // "aiv", "aic", "mix_1_1", ..., "aicpu"

  bool operator==(const KernelEntry&) const = default;
};

// A file of the package beside contract and library: a page of docs, a helper library.
struct FileEntry {
  std::string file, sha256;  // file: relative to the package

  bool operator==(const FileEntry&) const = default;
};

struct Manifest {
  uint32_t abi = 0;
  std::string vendor;
  std::string op;                              // op type, CamelCase
  std::string version;                         // semantic version of the op
  std::string kit;                             // opkit version that built the package
  std::string contract_file, contract_sha256;  // file: relative to the package
  std::string library_file, library_sha256;
  std::string platform;             // "linux-x86_64"
  std::string sanitizer = "none";   // "none", "address", "thread"
  std::string glibc, glibcxx;       // lowest versions that the library runs with; empty = none
  std::vector<std::string> needed;  // DT_NEEDED
  std::vector<std::string>
      socs;  // "Ascend910B1" or a family such as "Ascend910B"; empty: every SoC
  std::vector<KernelEntry> kernels;
  std::vector<FileEntry> files;            // everything else that the package holds
  std::map<std::string, Location> places;  // "library.sha256" -> where the file says it

  // Where the file says `key`; the whole file when the key is unknown.
  Location place(const std::string& key) const;
};

// Strict: unknown, missing and duplicate keys, wrong types, unsafe paths and malformed names are
// errors (OPK-MANIFEST-002..006) with a position.
Result<Manifest> parse_manifest(std::string_view text, const std::string& name);
// OPK-MANIFEST-001 when there is none.
Result<Manifest> load_manifest(const std::filesystem::path& path);
// Returns the text that parse_manifest reads back to an equal manifest.
std::string to_yaml(const Manifest& manifest);

// Tells whether it looks like the name of a vendor; each becomes a directory.
bool is_vendor_name(std::string_view name);
bool is_op_type(std::string_view name);
// "AddRelu" -> "add_relu", "Conv2DCustom" -> "conv2_d_custom", "GRUCell" -> "gru_cell".
std::string snake_name(std::string_view op_type);
// opk_task_type <-> the manifest's word; "task_<n>" for a number without a word.
std::string task_type_name(int32_t task_type);

// Returns what to do about an op that is not among the installed ones: the name that was meant, the
// few that there are, or the command that lists them. Empty when there are none.
std::string suggest_op(std::string_view op, const std::vector<std::string>& installed);

// The kinds of plugins: kernels of the chip's AI cores, or a CpuKernel for a processor of the host.
inline constexpr const char* kAicpuKernel = "aicpu";  // KernelEntry::task_type
bool is_aicpu(const Manifest& manifest);
std::string_view kind_of(const Manifest& manifest);  // "AI Core", "AICPU"

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_MANIFEST_H_
