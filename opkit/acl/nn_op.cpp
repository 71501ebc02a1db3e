#include "opkit/acl/nn_op.h"

#include <chrono>
#include <string_view>

#include "registry/opp_watch.h"

namespace opkit::acl {
namespace {

using registry::Package;
using registry::Registry;
using registry::Resolution;

constexpr std::chrono::seconds kPatienceForInstallers{5};

// The manifest has the digests of all files.
bool is_loaded(const NnOp& op, const Package& package) {
  const Package& loaded = op.plugin.package();
  return loaded.root == package.root &&
         loaded.manifest.library_sha256 == package.manifest.library_sha256;
}

// With the contract that the library holds: its file may be another one by now.
Result<std::shared_ptr<const NnOp>> load(const Registry& registry, const Package& package) {
  registry::LoadOptions options;
  options.probe = false;  // it was probed when it was installed; here it runs in the program
  OPKIT_TRY(registry::Plugin plugin, registry::Plugin::load(package, registry.host(), options));
  const std::string_view text(plugin.op().contract, plugin.op().contract_size);
  OPKIT_TRY(OpContract contract, OpContract::parse(text, package.contract_path().string()));
  return std::make_shared<const NnOp>(NnOp{std::move(plugin), std::move(contract)});
}

// An installer may replace a package between its choice and its load.
Result<std::shared_ptr<const NnOp>> load_in_quiet(const Registry& registry,
                                                  const registry::Query& query,
                                                  const Package& package) {
  auto loaded = load(registry, package);
  if (loaded.ok()) return loaded;
  const registry::OppWatch watch(registry.search_path().opp);
  watch.in_quiet(
      [&] {
        auto found = registry.resolve(query);
        loaded = found.ok() ? load(registry, found->package) : std::move(found).error();
      },
      kPatienceForInstallers);
  return loaded;
}

}  // namespace

Result<std::shared_ptr<const NnOp>> NnOps::find(const std::string& op, const std::string& soc) {
  const registry::Query query{.op = op, .soc = soc};
  Known& known = ops_[op];
  if (known.op) {
    OPKIT_TRY(std::shared_ptr<const Resolution> found, registry_->find(query));
    if (known.resolution == found || is_loaded(*known.op, found->package)) {
      known.resolution = std::move(found);
      return known.op;
    }
  }
  registry_.emplace(Registry::open());  // whom the OPP trusts may have changed
  OPKIT_TRY(std::shared_ptr<const Resolution> found, registry_->find(query));
  OPKIT_TRY(known.op, load_in_quiet(*registry_, query, found->package));
  known.resolution = std::move(found);
  registry_->remember();
  return known.op;
}

}  // namespace opkit::acl
