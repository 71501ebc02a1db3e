// For layers that may use fmt.
#include "standard.h"

#include <fmt/format.h>
