# find_package(attest) of another project:
#
#   attest::subject  the header that plug-ins include
#   attest::program  the program, for add_test(... COMMAND attest::program check ...)
#   attest::matcher  a GoogleTest matcher (C++17), where GoogleTest with its gmock is found; a
#                    project that needs it says COMPONENTS matcher
include(${CMAKE_CURRENT_LIST_DIR}/attestTargets.cmake)

find_package(GTest QUIET)
if(TARGET GTest::gmock)
  include(${CMAKE_CURRENT_LIST_DIR}/attestMatcherTargets.cmake)
  set(attest_matcher_FOUND TRUE)
endif()
foreach(component ${attest_FIND_COMPONENTS})
  if(attest_FIND_REQUIRED_${component} AND NOT attest_${component}_FOUND)
    set(attest_FOUND FALSE)
    set(attest_NOT_FOUND_MESSAGE "attest has no component ${component} here: matcher needs GoogleTest and gmock")
  endif()
endforeach()
