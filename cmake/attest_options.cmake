# How every target of the project is compiled. Kernels and budgets both lean on the absence of
# contraction: a*b+c is two roundings unless std::fma is written.
add_library(attest_options INTERFACE)
target_compile_options(attest_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  -ffp-contract=off
  # What is released names no folder of the machine that built it.
  $<$<CONFIG:Release>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on "literal" + std::string at -O3 (GCC bug 105651).
  target_compile_options(attest_options INTERFACE -Wno-restrict)
endif()
if(ATTEST_FUZZ)
  target_compile_options(attest_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ATTEST_SANITIZE)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Instrumented, libstdc++'s own <regex> looks uninitialised to GCC 12.
    target_compile_options(attest_options INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_compile_options(attest_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(attest_options INTERFACE -fsanitize=address,undefined)
endif()

# Emulated kernels need hardware FMA and 256-bit vectors to be quick; no bit of a result depends on
# them. The program is built where it runs, so the build machine decides.
include(CheckCXXSourceRuns)
check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"x86-64-v3\") ? 0 : 1; }"
  ATTEST_HAVE_X86_64_V3)
add_library(attest_emulated INTERFACE)
if(ATTEST_HAVE_X86_64_V3)
  target_compile_options(attest_emulated INTERFACE -march=x86-64-v3)
endif()
# Collectives and conversions are inlined into whoever links them, with or without attest_options.
target_compile_options(attest_emulated INTERFACE -ffp-contract=off)
# Findings name a kernel's line as a path below the project.
target_compile_options(attest_emulated INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
