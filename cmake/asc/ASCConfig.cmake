# find_package(ASC): after it project(... LANGUAGES ASC CXX) compiles .asc sources by `opkit cc`.
# This folder is <toolkit>/lib/cmake/ASC.
get_filename_component(ASC_TOOLKIT "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/modules")
include("${CMAKE_CURRENT_LIST_DIR}/npu_op.cmake")
