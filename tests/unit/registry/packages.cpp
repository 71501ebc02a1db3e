#include "packages.h"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "opkit/base/digest.h"
#include "registry/elf.h"
#include "registry/opp_layout.h"
#include "registry/package_files.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

std::string contract_text(const PackageSpec& spec) {
  return "op: " + spec.op + "\nversion: \"" + spec.version +
         "\"\n"
         "inputs:\n"
         "  x: {dtype: T, " +
         spec.lies +
         "}\n"
         "outputs:\n"
         "  y: {dtype: T, " +
         spec.lies +
         "}\n"
         "types: {T: [float16, float32]}\n"
         "reference:\n"
         "  - {op: Relu, in: [x], out: y}\n"
         "soc: [Ascend910B, Ascend310B4]\n";
}

Manifest manifest_of(const fs::path& root, const PackageSpec& spec, const std::string& library) {
  Manifest m;
  m.abi = 1;
  m.vendor = spec.vendor;
  m.op = spec.op;
  m.version = spec.version;
  m.kit = "0.1.0";
  m.contract_file = "op_proto/op_contract.yaml";
  m.contract_sha256 = *sha256_file(root / m.contract_file);
  m.library_file = library;
  m.library_sha256 = *sha256_file(root / library);
  const ElfFacts facts = *read_elf_file(root / library);
  m.platform = facts.platform;
  m.sanitizer = facts.sanitizer();
  m.glibc = facts.highest_need("GLIBC");
  m.glibcxx = facts.highest_need("GLIBCXX");
  m.needed = facts.needed;
  m.socs = {"Ascend910B", "Ascend310B4"};
  m.kernels = {{"add_relu", 1u, 18446744073709551614u, "aiv"}};
  m.files = {{"docs/readme.md", *sha256_file(root / "docs/readme.md")}};
  return m;
}

}  // namespace

TemporaryFolder::TemporaryFolder(const fs::path& place) {
  std::string name = (place / "opkit_registry_XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  fs::remove_all(path_, code);
}

fs::path fake_plugin(const std::string& name) {
  return fs::path(FAKE_PLUGIN_DIR) / ("libfake_" + name + ".so");
}

fs::path write_package(const fs::path& root, const PackageSpec& spec) {
  const std::string library = "op_impl/lib" + snake_name(spec.op) + ".so";
  write_text(root / "op_proto/op_contract.yaml", contract_text(spec));
  write_text(root / "docs/readme.md", "docs of " + spec.op);
  fs::create_directories(root / "op_impl");
  fs::copy_file(fake_plugin(spec.plugin), root / library, fs::copy_options::overwrite_existing);
  std::ofstream(root / library, std::ios::app | std::ios::binary) << spec.behind;
  Manifest manifest = manifest_of(root, spec, library);
  if (spec.edit) spec.edit(manifest);
  write_text(root / "manifest.yaml", to_yaml(manifest));
  return root;
}

fs::path write_installed(const fs::path& opp, const PackageSpec& spec) {
  return write_package(package_folder(opp, spec.vendor, spec.op, spec.version), spec);
}

void declare_files(const fs::path& root) {
  Manifest m = *load_manifest(root / "manifest.yaml");
  m.files.clear();
  const PackageTree tree = *tree_of(root);
  for (const std::string& file : tree.files) {
    if (file == "manifest.yaml" || file == kSignatureName || file == m.contract_file ||
        file == m.library_file)
      continue;
    m.files.push_back({file, *sha256_file(root / file)});
  }
  write_text(root / "manifest.yaml", to_yaml(m));
}

void write_text(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string snapshot(const fs::path& root) {
  std::vector<std::string> lines;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = entry.path().lexically_relative(root).string();
    if (name.rfind(".opkit", 0) == 0) continue;  // the installers' lock
    std::string line = name;
    line += entry.is_regular_file() ? ' ' : '/';
    if (entry.is_regular_file()) line += *sha256_file(entry.path());
    lines.push_back(std::move(line));
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

LayoutMaker test_layout_maker() {
  LayoutMaker maker;
  maker.header_name = [](const std::string& op) { return "aclnn_" + snake_name(op) + ".h"; };
  maker.header = [](const std::vector<fs::path>& contracts) -> std::optional<std::string> {
    std::string text = std::string(kMadeHeader) + " for a test\n";
    for (const fs::path& contract : contracts) {
      const std::string all = read_text(contract);
      const size_t begin = all.find("version: \"") + 10;
      text += all.substr(begin, all.find('"', begin) - begin) + "\n";
    }
    return text;
  };
  maker.runtime = "/nowhere/libascendcl.so";
  maker.version_info = "custom_opp_compiler_version=7.7.0\nopkit_version=0.1.0\n";
  return maker;
}

const HostFacts& this_host() {
  static const HostFacts host = HostFacts::of_this_process();
  return host;
}

}  // namespace opkit::registry
