# What tests need beside the compiler's option when CMAKE_CXX_FLAGS turns a sanitizer on, as the presets asan and tsan do.
#   opkit_compile_tests_fast()        tests of this folder and below: not optimised, with line numbers only
#   opkit_sanitized_seconds(<variable>)   the variable's seconds are multiplied by what a sanitizer costs
#   opkit_sanitizer_options(<variable>)   the environment of a test
#   opkit_preload_sanitizer(<tests...>)   tests that start users' programs: those are built without the sanitizer and load
#                                     libraries that have it, which want its runtime to be there first. Build tools are
#                                     started without it: cmake would wait for ever
set(OPKIT_SANITIZER "" CACHE STRING "address or thread: which sanitizer CMAKE_CXX_FLAGS turns on")

macro(opkit_compile_tests_fast)
  if(OPKIT_SANITIZER)
    string(REPLACE "-O2 -g" "-O0 -g1" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")
  endif()
endmacro()

function(opkit_sanitized_seconds variable)
  if(OPKIT_SANITIZER)
    math(EXPR ${variable} "${${variable}} * 6")
    set(${variable} ${${variable}} PARENT_SCOPE)
  endif()
endfunction()

function(opkit_sanitizer_options variable)
  set(${variable} "" PARENT_SCOPE)
  if(OPKIT_SANITIZER STREQUAL "thread") # which otherwise sleeps for a second at the end of every process
    set(${variable} "TSAN_OPTIONS=atexit_sleep_ms=0" PARENT_SCOPE)
  elseif(OPKIT_SANITIZER STREQUAL "address") # whose search for leaks else takes wrong addresses for thread-local memory
    set(${variable} "ASAN_OPTIONS=intercept_tls_get_addr=0" PARENT_SCOPE)
  endif()
endfunction()

function(opkit_preload_sanitizer)
  if(NOT OPKIT_SANITIZER)
    return()
  endif()
  opkit_sanitizer_options(environment)
  if(OPKIT_SANITIZER STREQUAL "address")
    set(runtime asan)
    # Shells and compilers leak; freed memory that is kept would pass for a leak where tests measure memory.
    set(environment "ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8")
  else()
    set(runtime tsan)
  endif()
  # libstdc++ as well: in a program that has none (Python) the runtime would not find who throws exceptions.
  set(preloaded "")
  foreach(library ${runtime} stdc++)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${library}.so
                    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
    file(REAL_PATH ${path} path)
    list(APPEND preloaded ${path})
  endforeach()
  list(JOIN preloaded ":" preloaded)
  set(tools ${PROJECT_BINARY_DIR}/unsanitized)
  foreach(tool cmake ninja make c++ g++ gcc cc)
    find_program(found_tool ${tool} NO_CACHE)
    if(found_tool)
      file(CONFIGURE OUTPUT ${tools}/${tool} CONTENT "#!/bin/sh\nunset LD_PRELOAD\nexec ${found_tool} \"$@\"\n")
      file(CHMOD ${tools}/${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    endif()
    unset(found_tool)
  endforeach()
  set_tests_properties(${ARGN} PROPERTIES ENVIRONMENT "${environment};LD_PRELOAD=${preloaded}"
                       ENVIRONMENT_MODIFICATION PATH=path_list_prepend:${tools})
endfunction()
