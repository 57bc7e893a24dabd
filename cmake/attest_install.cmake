# `cmake --install BUILD --prefix P`: the program and what belongs to it, and what other projects need
# to write plug-ins and tests. Everything finds everything else by its place below P, so that the tree
# can be moved (harness/subjects/program_files.hpp, and CMake's own package files).
include(CMakePackageConfigHelpers)

set(attest_package lib/cmake/attest)
install(TARGETS attest EXPORT attest RUNTIME DESTINATION bin)
install(TARGETS attest-worker RUNTIME DESTINATION libexec/attest)
if(ATTEST_HAVE_NVCC)
  install(TARGETS attest-device RUNTIME DESTINATION libexec/attest OPTIONAL)  # takes long to build
endif()
install(DIRECTORY fixtures/golden DESTINATION share/attest)
install(FILES properties/counterexamples.txt DESTINATION share/attest)

install(TARGETS attest_subject EXPORT attest FILE_SET HEADERS DESTINATION include)
install(EXPORT attest NAMESPACE attest:: DESTINATION ${attest_package} FILE attestTargets.cmake)
install(TARGETS attest_matcher EXPORT attest_matcher FILE_SET HEADERS DESTINATION include)
install(EXPORT attest_matcher NAMESPACE attest:: DESTINATION ${attest_package}
  FILE attestMatcherTargets.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/attestConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/attestConfig.cmake ${PROJECT_BINARY_DIR}/attestConfigVersion.cmake
  DESTINATION ${attest_package})

# Programs of the build tree find their data as installed ones do.
set(attest_data ${PROJECT_BINARY_DIR}/share/attest)
file(MAKE_DIRECTORY ${attest_data})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/fixtures/golden ${attest_data}/golden SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/properties/counterexamples.txt
  ${attest_data}/counterexamples.txt SYMBOLIC)
