# What `make package` makes with CPack: Debian packages of the components of OpkitInstall.cmake.
#   opkit           the tools and the SDK; compiles its precompiled headers when it is installed
#   opkit-runtime   the libraries that programs link
#   python3-opkit   the Python modules acl and opkit
#   opkit-mpi       the library that speaks MPI, where it is built
# All lie in /opt/opkit, where find_package looks by itself. What they link is found by dpkg-shlibdeps; what the tools
# call is named here, and scripts/package_test.sh installs the packages where nothing else is.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME opkit)
set(CPACK_PACKAGE_VENDOR opkit)
set(CPACK_PACKAGE_CONTACT "opkit <opkit@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /opt/opkit)
set(opkit_components tools runtime python)
set(CPACK_COMPONENTS_ALL ${opkit_components})
if(TARGET opkit_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
execute_process(COMMAND dpkg --print-architecture OUTPUT_VARIABLE opkit_architecture OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME opkit)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME opkit-runtime)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-opkit)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME opkit-mpi)
# One pattern takes them all: apt install ./opkit_*.deb
set(opkit_file_end ${PROJECT_VERSION}_${opkit_architecture}.deb)
set(CPACK_DEBIAN_TOOLS_FILE_NAME opkit_${opkit_file_end})
set(CPACK_DEBIAN_RUNTIME_FILE_NAME opkit_runtime_${opkit_file_end})
set(CPACK_DEBIAN_PYTHON_FILE_NAME opkit_python_${opkit_file_end})
set(CPACK_DEBIAN_MPI_FILE_NAME opkit_mpi_${opkit_file_end})

set(CPACK_COMPONENT_TOOLS_DESCRIPTION "Operator development kit for Ascend C without an NPU: tools and SDK")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Libraries of programs that run operators and models with opkit")
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Python modules acl and opkit")
set(CPACK_COMPONENT_MPI_DESCRIPTION "opkit tune and opkit test --all on several machines by MPI")
# What the tools call to build ops and programs.
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
    "opkit-runtime (= ${PROJECT_VERSION}), g++ (>= 4:12), binutils, cmake (>= 3.25), ninja-build | make")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "gdb, libgtest-dev")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "opkit (= ${PROJECT_VERSION}), python3, python3-numpy")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "opkit (= ${PROJECT_VERSION}), openmpi-bin")

set(scripts ${PROJECT_BINARY_DIR}/debian)
foreach(component ${opkit_components})
  string(TOUPPER ${component} upper)
  set(control "")
  foreach(script postinst prerm)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/debian/${component}/${script} ${scripts}/${component}/${script} @ONLY
                   FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    list(APPEND control ${scripts}/${component}/${script})
  endforeach()
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA "${control}")
endforeach()
# Where the libraries of this build lie, for dpkg-shlibdeps.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/opkit)
include(CPack)
