// Reads back a document that a process of opkit's has written.
#ifndef OPKIT_CLI_TEXT_READ_JSON_H_
#define OPKIT_CLI_TEXT_READ_JSON_H_

#include <string>

#include "opkit/base/json.h"

namespace opkit::cli {

// null where the text is no JSON.
Json read_json(const std::string& text);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_READ_JSON_H_
