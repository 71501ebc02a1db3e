// For tests.
#include "standard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
