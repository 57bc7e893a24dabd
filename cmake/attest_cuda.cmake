# Looks for the CUDA toolkit and says aloud what is built without it.
#
# nvcc is driven by custom commands, not as a language of the project: CMake 3.25 drops the C++20
# standard with nvcc 13, and has no place for what ptxas says of each kernel.
set(ATTEST_CUDA_ARCHITECTURES 80 90 CACHE STRING "machine code for these GPUs, the oldest first")
set(ATTEST_DEVICE_CODE_FILE ${PROJECT_BINARY_DIR}/device_code.txt)
set(ATTEST_HAVE_CUDA_HEADERS OFF)
set(ATTEST_HAVE_NVCC OFF)

if(NOT ATTEST_CUDA STREQUAL "OFF")
  find_path(ATTEST_CUDA_INCLUDE cuda_fp16.h PATHS /usr/local/cuda/include ENV CUDA_HOME
    PATH_SUFFIXES include)
  find_program(ATTEST_NVCC nvcc PATHS /usr/local/cuda/bin ENV CUDA_HOME PATH_SUFFIXES bin)
  if(ATTEST_CUDA_INCLUDE)
    set(ATTEST_HAVE_CUDA_HEADERS ON)
    message(STATUS "CUDA headers: ${ATTEST_CUDA_INCLUDE} (conversions are tested against them)")
  elseif(ATTEST_CUDA STREQUAL "ON")
    message(FATAL_ERROR "ATTEST_CUDA=ON, and no cuda_fp16.h was found")
  endif()
  if(ATTEST_NVCC)
    set(ATTEST_HAVE_NVCC ON)
    # Beside the real nvcc: what is on the path may be a link to it.
    get_filename_component(attest_nvcc_bin ${ATTEST_NVCC} REALPATH)
    get_filename_component(attest_nvcc_bin ${attest_nvcc_bin} DIRECTORY)
    find_library(ATTEST_CUDART cudart_static REQUIRED
      PATHS ${attest_nvcc_bin}/.. PATH_SUFFIXES lib64 targets/x86_64-linux/lib lib)
  elseif(ATTEST_CUDA STREQUAL "ON")
    message(FATAL_ERROR "ATTEST_CUDA=ON, and no nvcc was found")
  endif()
endif()

if(NOT ATTEST_HAVE_CUDA_HEADERS)
  message(STATUS "CUDA headers: none (conversions are not tested against CUDA's own)")
endif()
# What the build made of device code, in one line for who reports on it. With nvcc it is written
# once the device program is linked.
if(ATTEST_HAVE_NVCC)
  file(REMOVE ${ATTEST_DEVICE_CODE_FILE})
  message(STATUS "device code: by ${ATTEST_NVCC}")
else()
  set(attest_why "no nvcc")
  if(ATTEST_CUDA STREQUAL "OFF")
    set(attest_why "ATTEST_CUDA is OFF")
  endif()
  file(WRITE ${ATTEST_DEVICE_CODE_FILE} "device code: not built, ${attest_why}\n")
  message(STATUS "device code: not built, ${attest_why}")
endif()

# attest_cuda_object(<variable> <source>)
#
# Compiles one CUDA source for every architecture and appends the object to the list <variable>. What
# ptxas says stands beside it, in <object>.ptxas. All machine code comes from one PTX, of the oldest
# architecture, which halves the time and is embedded for later ones: no kernel needs more.
#
# -fmad=false, as -ffp-contract=off elsewhere: a*b+c is two roundings unless multiply_add is
# written. Cubins stay uncompressed, so that tests can read them.
function(attest_cuda_object variable source)
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(source ${source} ABSOLUTE)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  list(TRANSFORM ATTEST_CUDA_ARCHITECTURES PREPEND sm_ OUTPUT_VARIABLE code)
  list(GET ATTEST_CUDA_ARCHITECTURES 0 oldest)
  list(APPEND code compute_${oldest})
  list(JOIN code "," code)
  set(release "")
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(release -Xcompiler -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)  # attest_options
  endif()
  add_custom_command(OUTPUT ${object} BYPRODUCTS ${object}.ptxas
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/keep_stderr ${object}.ptxas
      ${CMAKE_CXX_COMPILER_LAUNCHER} ${ATTEST_NVCC} -ccbin ${CMAKE_CXX_COMPILER}
      -std=c++20 -O3 -fmad=false "-gencode=arch=compute_${oldest},code=[${code}]"
      --no-compress -Xptxas -v -Werror all-warnings
      -Xcompiler -Wall,-Wextra,-Werror,-ffp-contract=off ${release}
      -I${PROJECT_SOURCE_DIR} -MD -MF ${object}.d -c ${source} -o ${object}
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/keep_stderr
    DEPFILE ${object}.d
    COMMENT "nvcc ${name}"
    VERBATIM)
  set(${variable} ${${variable}} ${object} PARENT_SCOPE)
endfunction()
