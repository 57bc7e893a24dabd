// Goal: the device program holds exactly the registered kernels, for each architecture, multiplies
// tiles by mma.sync, and spills no register up to head dimension 128. All of it is read from files:
// no GPU is needed.
#include "tests/kernels/device/device_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

#include "kernels/device/registry.hpp"

namespace attest::device_code_test {
namespace {

constexpr int kArchitectures[] = {ATTEST_CUDA_ARCHITECTURES};

#if defined(ATTEST_DEVICE_PROGRAM)
const std::string kProgram = ATTEST_DEVICE_PROGRAM;
const std::string kObjects = ATTEST_DEVICE_OBJECTS;
#else
const std::string kProgram, kObjects;
#endif

#define SKIP_WITHOUT_DEVICE_CODE() \
  if (kProgram.empty()) GTEST_SKIP() << "device code: not built, no nvcc"

std::vector<std::string> registered_types() {
  std::vector<std::string> types;
  for (const DeviceKernel& kernel : device_kernels()) types.push_back(kernel.type);
  std::ranges::sort(types);
  return types;
}

// Of the objects that the program is made of.
std::vector<PtxasRow> all_ptxas_rows() {
  std::vector<PtxasRow> all;
  std::ifstream objects(kObjects);
  for (std::string object; std::getline(objects, object);) {
    std::ifstream stream(object + ".ptxas");
    EXPECT_TRUE(stream) << "ptxas said nothing about " << object;
    for (PtxasRow& row : ptxas_rows({std::istreambuf_iterator<char>(stream), {}})) {
      all.push_back(std::move(row));
    }
  }
  return all;
}

TEST(DeviceCode, HasTheRegisteredEntryPointsOnEachArchitecture) {
  SKIP_WITHOUT_DEVICE_CODE();
  const DeviceCode code = device_code_of(kProgram);
  EXPECT_EQ(code.entries.size(), std::size(kArchitectures));
  for (const int architecture : kArchitectures) {
    ASSERT_EQ(code.entries.count(architecture), 1u) << architecture;
    std::vector<std::string> types;
    for (const std::string& entry : code.entries.at(architecture)) {
      types.push_back(type_of_entry(entry));
    }
    std::ranges::sort(types);
    EXPECT_EQ(types, registered_types()) << "sm_" << architecture;
  }
}

TEST(DeviceCode, MultipliesTilesByMmaSyncInItsPtx) {
  SKIP_WITHOUT_DEVICE_CODE();
  const DeviceCode code = device_code_of(kProgram);
  ASSERT_EQ(code.ptx.count(80), 1u);
  for (const char* instruction : {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                                  "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                                  "ex2.approx.f32", "ex2.approx.ftz.f32"}) {
    EXPECT_NE(code.ptx.at(80).find(instruction), std::string::npos) << instruction;
  }
}

TEST(DeviceCode, FusesNothingThatIsNotWrittenFused) {
  SKIP_WITHOUT_DEVICE_CODE();
  // In PTX a product and a sum are mul.f32 and add.f32, which ptxas may still contract; only with a
  // rounding mode they stay two operations.
  const std::string ptx = device_code_of(kProgram).ptx.at(80);
  EXPECT_NE(ptx.find("mul.rn.f32"), std::string::npos);
  // At the front of a line: an atomic addition ends like that, too.
  EXPECT_EQ(ptx.find("\tmul.f32 "), std::string::npos);
  EXPECT_EQ(ptx.find("\tadd.f32 "), std::string::npos);
  EXPECT_EQ(ptx.find("fma.rn.ftz"), std::string::npos);
  EXPECT_EQ(ptx.find("div.approx"), std::string::npos);
  EXPECT_EQ(ptx.find("div.full"), std::string::npos);
}

TEST(DeviceCode, SpillsNoRegisterUpToHeadDimension128) {
  SKIP_WITHOUT_DEVICE_CODE();
  const std::vector<PtxasRow> rows = all_ptxas_rows();
  for (const DeviceKernel& kernel : device_kernels()) {
    for (const int architecture : kArchitectures) {
      const auto is_it = [&](const PtxasRow& row) {
        return row.architecture == architecture && type_of_entry(row.entry) == kernel.type;
      };
      ASSERT_EQ(std::ranges::count_if(rows, is_it), 1) << kernel.type << " sm_" << architecture;
      const PtxasRow& row = *std::ranges::find_if(rows, is_it);
      if (kernel.head_dim <= 128) {
        EXPECT_EQ(row.spill_stores + row.spill_loads, 0) << kernel.type << " sm_" << architecture;
      } else {
        std::cout << kernel.type << " sm_" << architecture << ": " << row.registers
                  << " registers, spills " << row.spill_stores << " bytes stored, "
                  << row.spill_loads << " loaded\n";
      }
    }
  }
}

TEST(PtxasRows, TakeApartWhatPtxasSays) {
  const std::string one =
      "ptxas info    : Compiling entry function '_Z3one' for 'sm_80'\n"
      "ptxas info    : Function properties for _Z3one\n"
      "    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers\n";
  const std::vector<PtxasRow> rows = ptxas_rows("ptxas info    : 0 bytes gmem\n" + one);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].entry, "_Z3one");
  EXPECT_EQ(rows[0].architecture, 80);
  EXPECT_EQ(rows[0].spill_stores, 12);
  EXPECT_EQ(rows[0].spill_loads, 8);
  EXPECT_EQ(rows[0].registers, 255);
  EXPECT_THROW((void)ptxas_rows(one.substr(0, one.find("    16"))), std::runtime_error);
}

TEST(DeviceCodeFile, IsRefusedWhereItIsNoProgram) {
  EXPECT_THROW((void)device_code_of("/dev/null"), std::runtime_error);
}

}  // namespace
}  // namespace attest::device_code_test
