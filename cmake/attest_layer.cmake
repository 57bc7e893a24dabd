# Off, each file is compiled alone: it then has to include what it uses.
option(ATTEST_TOGETHER "compile sources in groups where that takes half the time" OFF)

# attest_layer(<name> [TOGETHER] [HEADERS ...] [SOURCES ...] [LINKS ...])
#
# One library per folder, named attest::<name> with slashes turned into underscores. The layers it
# may use are read from LAYERS, so a CMakeLists.txt cannot widen them; LINKS is for third-party
# libraries only, and they stay private to the layer: each has one door. TOGETHER: with ATTEST_TOGETHER
# eight sources are compiled as one. That pays where headers take longer than the code, and asks for
# names in anonymous namespaces that differ.
function(attest_layer name)
  cmake_parse_arguments(arg "TOGETHER" "" "HEADERS;SOURCES;LINKS" ${ARGN})
  file(STRINGS ${PROJECT_SOURCE_DIR}/LAYERS row REGEX "^${name}:")
  if(NOT row)
    message(FATAL_ERROR "layer '${name}' has no row in LAYERS")
  endif()
  string(REGEX REPLACE "^${name}: *" "" uses "${row}")
  string(REPLACE " " ";" uses "${uses}")
  list(TRANSFORM uses REPLACE "/" "_")
  list(TRANSFORM uses PREPEND attest::)
  string(REPLACE "/" "_" target "${name}")
  if(arg_SOURCES)
    set(kind STATIC)
    set(scope PUBLIC)
  else()
    set(kind INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(attest_${target} ${kind} ${arg_SOURCES})
  add_library(attest::${target} ALIAS attest_${target})
  target_sources(attest_${target} ${scope}
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${arg_HEADERS})
  target_compile_features(attest_${target} ${scope} cxx_std_20)
  target_link_libraries(attest_${target} ${scope} ${uses})
  if(arg_SOURCES)
    target_link_libraries(attest_${target} PRIVATE attest_options ${arg_LINKS})
  endif()
  if(arg_TOGETHER)
    set_target_properties(attest_${target} PROPERTIES
      UNITY_BUILD ${ATTEST_TOGETHER} UNITY_BUILD_BATCH_SIZE 8)
  endif()
  set_target_properties(attest_${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

# attest_test(<name> [LABEL fast|soak|device] [HEAVY] SOURCES ... [LINKS ...])
#
# One test program; every test in it carries the label. A test is compiled more often than it runs,
# so its own code is optimised lightly unless it is HEAVY, and with ATTEST_TOGETHER eight files are
# compiled as one: half of the time. That is why each has a namespace of its own, by its name.
function(attest_test name)
  cmake_parse_arguments(arg "HEAVY" "LABEL;TIMEOUT" "SOURCES;LINKS" ${ARGN})
  if(NOT arg_LABEL)
    set(arg_LABEL fast)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE attest_options GTest::gtest_main ${arg_LINKS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(${name} PROPERTIES
    UNITY_BUILD ${ATTEST_TOGETHER} UNITY_BUILD_BATCH_SIZE 8)
  # Parsing GoogleTest takes longer than most tests' own code: once for all that are compiled alike.
  list(LENGTH arg_SOURCES source_count)
  if(NOT arg_HEAVY)
    target_link_libraries(${name} PRIVATE attest_light_test)
    target_precompile_headers(${name} REUSE_FROM attest_parsed_gtest)
  elseif(source_count GREATER 3)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
    target_compile_options(${name} PRIVATE ${ATTEST_FALSE_ALARMS_OF_PARSED_HEADERS})
  endif()
  # RapidCheck takes a fresh seed each run; CI wants the same one, and a soak does not.
  set(fixed_seed "")
  if(NOT arg_LABEL STREQUAL soak)
    set(fixed_seed ENVIRONMENT "RC_PARAMS=seed=20")
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} ${fixed_seed})
endfunction()
