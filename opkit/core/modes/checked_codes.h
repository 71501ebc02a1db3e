// Codes of what Checked finds that others tell apart.
#ifndef OPKIT_CORE_MODES_CHECKED_CODES_H_
#define OPKIT_CORE_MODES_CHECKED_CODES_H_

namespace opkit::core {

inline constexpr const char* kUnwrittenGm = "EK1302";  // reads GM that nothing has written
inline constexpr const char* kUnfilledSum = "EK1402";  // adds to GM that nothing has written
inline constexpr const char* kRaceOfCores = "EK1511";  // nothing orders two cores

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_CHECKED_CODES_H_
