// What the vendor's atc says at its end, for which scripts look.
#ifndef OPKIT_CLI_OPTIONS_ATC_WORDS_H_
#define OPKIT_CLI_OPTIONS_ATC_WORDS_H_

namespace opkit::cli {

inline constexpr const char* kAtcFailure =
    "ATC run failed, Please check the detail log, Try 'atc --help'\n";

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_ATC_WORDS_H_
