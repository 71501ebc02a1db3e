#error "another chip's tiling is not built here"
