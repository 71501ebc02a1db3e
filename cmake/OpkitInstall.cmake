# What `cmake --install` puts into an SDK: headers for authors, tools, the CMake package, templates.
include(CMakePackageConfigHelpers)

# What building, testing and running an op needs: what `make demo` builds.
add_custom_target(op_tools)
add_dependencies(op_tools opkit-gen opkit-seal opkit_ops_exe opkit-worker opkit_build_plugin)
# Everything that an installed SDK holds: the tools, and the libraries of authors' programs and tests.
add_custom_target(sdk)
add_dependencies(sdk opkit-gen opkit-seal opkit_exe opkit-worker opkit_build_plugin program_libraries opkit_testing_shared
                 opkit_python_acl opkit_engine_module)
if(TARGET opkit_mpi)
  add_dependencies(sdk opkit_mpi)
endif()

# Components, which `make package` makes packages of: tools, runtime and python; compiled: what is compiled when a package
# is installed.
set(opkit_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/opkit)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/opkitConfig.cmake.in ${PROJECT_BINARY_DIR}/opkitConfig.cmake
  INSTALL_DESTINATION ${opkit_cmake_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBEXECDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/opkitConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(FILES ${PROJECT_BINARY_DIR}/opkitConfig.cmake ${PROJECT_BINARY_DIR}/opkitConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/OpkitOp.cmake ${CMAKE_CURRENT_LIST_DIR}/OpkitTargets.cmake
              ${CMAKE_CURRENT_LIST_DIR}/OpkitOpOptions.cmake ${CMAKE_CURRENT_LIST_DIR}/OpkitPrecompile.cmake
              ${CMAKE_CURRENT_LIST_DIR}/opkit_plugin.map
              DESTINATION ${opkit_cmake_dir} COMPONENT tools)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/asc DESTINATION ${opkit_cmake_dir} COMPONENT tools USE_SOURCE_PERMISSIONS)
foreach(folder abi include)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/opkit/${folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/opkit/${folder}
          COMPONENT tools FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.inc")
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/forwards/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/opkit/include COMPONENT tools)
install(TARGETS opkit-gen opkit-seal DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/opkit COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/ops/shared/ DESTINATION ${CMAKE_INSTALL_DATADIR}/opkit/shared COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/templates/ DESTINATION ${CMAKE_INSTALL_DATADIR}/opkit/templates COMPONENT tools)
install(TARGETS opkit_acl_shared opkit_media_shared opkit_ge_shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
install(TARGETS opkit_testing_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
install(TARGETS opkit_python_acl opkit_engine_module
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/opkit/python COMPONENT python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/opkit/python/packages/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/opkit/python
        COMPONENT python FILES_MATCHING PATTERN "*.py")
install(TARGETS opkit_build_plugin ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/opkit/testing/device.h ${PROJECT_SOURCE_DIR}/opkit/testing/op_test.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/opkit/testing COMPONENT tools)

# Precompiled headers, after the headers are there.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  install(CODE "
    set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DCOMPILER=${CMAKE_CXX_COMPILER}\" \"-DINCLUDE=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}\"
      \"-DFOLDER=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}/opkit/precompiled\" -DCMAKE_SYSTEM_PROCESSOR=${CMAKE_SYSTEM_PROCESSOR}
      -P \"${CMAKE_CURRENT_LIST_DIR}/OpkitPrecompile.cmake\")" COMPONENT compiled)
endif()
