// Keys as the command line shows and takes them.
#ifndef OPKIT_CLI_TEXT_KEY_TEXT_H_
#define OPKIT_CLI_TEXT_KEY_TEXT_H_

#include <string>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "registry/key_store.h"
#include "registry/package.h"
#include "registry/trust.h"

namespace opkit::cli {

Json key_json(const registry::KnownKey& key);
Json trust_json(const registry::Trust& trust, const std::filesystem::path& opp);

// "9f86d081884c7d65", which people can compare; "-" for none.
std::string short_key(const std::string& key);

// Returns the signature file of an intact package, made with its vendor's secret key.
Result<std::string> signature_by_vendor(const registry::Package& package);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_KEY_TEXT_H_
