# How every target of the project is compiled. Kernels and budgets both lean on the absence of
# contraction: a*b+c is two roundings unless std::fma is written.
add_library(attest_options INTERFACE)
target_compile_options(attest_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  -ffp-contract=off)
if(ATTEST_SANITIZE)
  target_compile_options(attest_options INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(attest_options INTERFACE -fsanitize=address,undefined)
endif()
