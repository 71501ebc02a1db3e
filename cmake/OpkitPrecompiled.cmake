# Headers of this repository's own build that are compiled once and shared: much of a cold build was reading the same
# standard headers again. (OpkitPrecompile.cmake is another thing: the headers of authors' builds with an installed SDK.)
#   opkit_precompiled(<name> LINKED <library> [FOLDERS <library>] OPTIONS <...>)
#     <build>/precompiled/<name>.h, compiled with what the library asks of its users and with those options of its
#     users that the compiler compares; headers are looked for in the folders of the second library, too
#   opkit_use_precompiled(<target> <name>)   the target's files begin with it
# The header is compiled with the level of optimization of the files that begin with it: gcc compiled tests of -O1 behind a
# header of -O3 as slowly as with -O3 (twice the time), and fell over files of -O3 behind a header of -O1.
# gcc does not compare all options: floating-point rules and macros of the header reach its users without a warning. So
# nothing that decides about those itself may begin with it: not the engine, and files with kernels only with a header of
# their own (opkit_precompile_kernels in tests/CMakeLists.txt), which is compiled with just their options.
# CMake's own target_precompile_headers writes the checkout's path into the header, so that checkouts would not share
# what ccache keeps. CMAKE_DISABLE_PRECOMPILE_HEADERS switches it off as it does CMake's own.
set(OPKIT_PRECOMPILED_FOLDER ${PROJECT_BINARY_DIR}/precompiled)

function(opkit_precompiled name)
  cmake_parse_arguments(ARG "" "LINKED;FOLDERS" "OPTIONS" ${ARGN})
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/precompiled/*.h)
  foreach(header ${headers})
    get_filename_component(file ${header} NAME)
    configure_file(${header} ${OPKIT_PRECOMPILED_FOLDER}/${file} COPYONLY)
  endforeach()
  set(asked "$<TARGET_PROPERTY:${ARG_LINKED},INTERFACE_COMPILE_DEFINITIONS>")
  set(asked "$<$<BOOL:${asked}>:-D$<JOIN:${asked},;-D>>;$<TARGET_PROPERTY:${ARG_LINKED},INTERFACE_COMPILE_OPTIONS>")
  if(ARG_FOLDERS)
    string(APPEND asked ";-I$<JOIN:$<TARGET_PROPERTY:${ARG_FOLDERS},INTERFACE_INCLUDE_DIRECTORIES>,;-I>")
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  set(header ${OPKIT_PRECOMPILED_FOLDER}/${name}.h)
  add_custom_command(OUTPUT ${header}.gch
                     COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} ${flags} -std=c++20
                             -fvisibility=hidden -fvisibility-inlines-hidden "${asked}" ${ARG_OPTIONS}
                             -MD -MF ${header}.d -x c++-header -o ${header}.gch -c ${header}
                     DEPENDS ${header} DEPFILE ${header}.d COMMENT "Precompiling ${name}.h" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(precompiled_${name} DEPENDS ${header}.gch)
endfunction()

function(opkit_use_precompiled target name)
  if(TARGET precompiled_${name})
    # Waits also in files that join the target later, which the list of sources below does not name yet.
    add_dependencies(${target} precompiled_${name})
    # The compiler's list of what a file includes does not name the precompiled header.
    get_target_property(sources ${target} SOURCES)
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} APPEND
                 PROPERTY OBJECT_DEPENDS ${OPKIT_PRECOMPILED_FOLDER}/${name}.h.gch)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Winvalid-pch>
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${OPKIT_PRECOMPILED_FOLDER}/${name}.h>")
  endif()
endfunction()
