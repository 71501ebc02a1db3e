#error "tests of the op are not part of it"
