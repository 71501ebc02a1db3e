// For layers that are RARE.
#include "formatted.h"
