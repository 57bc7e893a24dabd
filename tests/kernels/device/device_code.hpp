// device_code.hpp - what nvcc put into a program, read from the file: machine code for each
// architecture, and PTX.
//
// CUDA's containers are not documented; their layout here is what nvcc 13 writes: in the section
// .nv_fatbin, containers behind each other, each a header and entries, each entry a header and an
// ELF file or a text. What does not look so throws.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace attest {

struct DeviceCode {
  std::map<int, std::vector<std::string>> entries;  // by architecture (80, 90): mangled names
  std::map<int, std::string> ptx;                   // by architecture, all texts
};

// Throws std::runtime_error when the file is no such program.
[[nodiscard]] DeviceCode device_code_of(const std::filesystem::path& program);

// What ptxas says of one kernel on one architecture.
struct PtxasRow {
  std::string entry;  // mangled
  int architecture = 0;
  int spill_stores = 0, spill_loads = 0;  // bytes
  int registers = 0;
};

// Throws std::runtime_error when a kernel's rows are incomplete.
[[nodiscard]] std::vector<PtxasRow> ptxas_rows(const std::string& text);

// A mangled name in plain_kernel_type's spelling.
[[nodiscard]] std::string type_of_entry(const std::string& mangled);

}  // namespace attest
