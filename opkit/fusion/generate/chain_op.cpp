#include "opkit/fusion/generate/chain_op.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/call/execute/generated_ops.h"

namespace opkit::generate {
namespace {

namespace fs = std::filesystem;

constexpr size_t kNamed = 4;    // operators in a name
constexpr size_t kDigits = 16;  // counts the digits of the digest that names have

// Dims that stand for all others.
author::ElementwiseRegion without_dims(author::ElementwiseRegion region) {
  const Shape whole({256, 1024}), part({1024});
  for (author::RegionInput& input : region.inputs)
    input.shape = input.shape == region.shape ? whole : part;
  region.shape = whole;
  return region;
}

std::string text_of(const std::map<std::string, std::string>& files) {
  std::string text;
  for (const auto& [path, content] : files)
    text += fmt::format("{}:{}\n{}", path, content.size(), content);
  return text;
}

// "AddMulChain" and the digest's first digits.
std::string name_of(const author::ElementwiseRegion& region, const std::string& digest) {
  std::string name;
  for (size_t s = 0; s < std::min(kNamed, region.steps.size()); ++s)
    name += region.steps[s].op_type;
  return name + "Chain" + digest.substr(0, kDigits);
}

}  // namespace

Result<std::string> digest_of_kit(const project::Sdk& sdk) {
  std::set<fs::path> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(sdk.shared, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->is_regular_file()) files.insert(at->path());
  }
  if (failed)
    return Error("OPK-ENV-001", fmt::format("cannot read {}", sdk.shared.string()),
                 "install opkit again");
  std::string text = project::kit_version() + "\n" + project::identity_of(sdk) + "\n";
  for (const fs::path& file : files) {
    OPKIT_TRY(const std::string content, read_file(file, size_t{1} << 22));
    text += fmt::format("{} {}\n", file.filename().string(), sha256_hex(content));
  }
  return sha256_hex(text);
}

Result<ChainOp> op_of(const author::ElementwiseRegion& given, DType dtype, const std::string& soc,
                      const std::string& kit) {
  const author::ElementwiseRegion region = without_dims(given);
  author::OpNames names{"Chain", "chain", "an element-wise chain of a model",
                        std::string(opkit::name_of(dtype))};
  const std::string digest =
      sha256_hex(text_of(author::op_files(region, names)) + soc + "\n" + kit);
  ChainOp op;
  OPKIT_TRY(op.names, project::names_for(name_of(region, digest), kGeneratedVendor));
  op.operators = author::operators_of(region);
  names.op = op.names.op;
  names.snake = op.names.snake;
  op.files = author::op_files(region, names);
  return op;
}

}  // namespace opkit::generate
