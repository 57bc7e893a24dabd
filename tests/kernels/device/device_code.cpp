#include "tests/kernels/device/device_code.hpp"

#include <cxxabi.h>
#include <elf.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "kernels/device/registry.hpp"

namespace attest {
namespace {

constexpr std::uint32_t kContainerMagic = 0xba55ed50;
constexpr std::uint16_t kPtx = 1, kElf = 2;
constexpr std::uint16_t kCudaMachine = 190;
constexpr std::uint8_t kIsEntry = 0x10;  // in a symbol's st_other

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;  // behind the header
};
struct EntryHeader {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t unknown[3];
  std::uint32_t architecture;
};

// A piece of a file. Reading past its end throws.
class Piece {
 public:
  explicit Piece(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  [[nodiscard]] T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, part(offset, sizeof value).bytes_.data(), sizeof value);
    return value;
  }
  [[nodiscard]] Piece part(std::size_t offset, std::size_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      throw std::runtime_error("the file ends in the middle");
    }
    return Piece(bytes_.substr(offset, size));
  }
  [[nodiscard]] std::string text_at(std::size_t offset) const {
    const std::string_view rest = part(offset, bytes_.size() - offset).bytes_;
    return std::string(rest.substr(0, rest.find('\0')));
  }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
};

struct Section {
  std::string name;
  Elf64_Shdr header;
};

std::vector<Section> sections_of(const Piece& file) {
  const auto header = file.at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw std::runtime_error("no ELF file");
  std::vector<Section> sections;
  for (int i = 0; i < header.e_shnum; ++i) {
    sections.push_back({"", file.at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr))});
  }
  const auto& names = sections.at(header.e_shstrndx).header;
  for (Section& section : sections) {
    section.name = file.text_at(names.sh_offset + section.header.sh_name);
  }
  return sections;
}

// The kernels of a cubin: functions that the host can start.
std::vector<std::string> entries_of(const Piece& cubin) {
  if (cubin.at<Elf64_Ehdr>(0).e_machine != kCudaMachine) throw std::runtime_error("no cubin");
  const std::vector<Section> sections = sections_of(cubin);
  std::vector<std::string> entries;
  for (const Section& section : sections) {
    if (section.header.sh_type != SHT_SYMTAB) continue;
    const auto& names = sections.at(section.header.sh_link).header;
    const std::size_t count = section.header.sh_size / sizeof(Elf64_Sym);
    for (std::size_t i = 0; i < count; ++i) {
      const auto symbol = cubin.at<Elf64_Sym>(section.header.sh_offset + i * sizeof(Elf64_Sym));
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || (symbol.st_other & kIsEntry) == 0) continue;
      entries.push_back(cubin.text_at(names.sh_offset + symbol.st_name));
    }
  }
  return entries;
}

void read_container(const Piece& container, DeviceCode& code) {
  for (std::size_t at = 0; at < container.size();) {
    const auto header = container.at<EntryHeader>(at);
    const Piece body = container.part(at + header.header_bytes, header.bytes);
    const int architecture = static_cast<int>(header.architecture);
    if (header.kind == kElf) {
      for (std::string& entry : entries_of(body)) {
        code.entries[architecture].push_back(std::move(entry));
      }
    } else if (header.kind == kPtx) {
      code.ptx[architecture] += body.bytes();
    } else {
      throw std::runtime_error("an entry is neither machine code nor PTX");
    }
    at += header.header_bytes + header.bytes;
  }
}

}  // namespace

DeviceCode device_code_of(const std::filesystem::path& program) {
  std::ifstream stream(program, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const Piece file{bytes};
  DeviceCode code;
  for (const Section& section : sections_of(file)) {
    if (section.name != ".nv_fatbin") continue;
    const Piece all = file.part(section.header.sh_offset, section.header.sh_size);
    for (std::size_t at = 0; at + sizeof(ContainerHeader) <= all.size();) {
      const auto header = all.at<ContainerHeader>(at);
      if (header.magic != kContainerMagic) {
        at += 8;  // containers are aligned
        continue;
      }
      read_container(all.part(at + header.header_bytes, header.bytes), code);
      at += header.header_bytes + header.bytes;
    }
  }
  return code;
}

std::vector<PtxasRow> ptxas_rows(const std::string& text) {
  const std::regex starts(R"(Compiling entry function '(\w+)' for 'sm_(\d+)')");
  const std::regex spills(R"((\d+) bytes spill stores, (\d+) bytes spill loads)");
  const std::regex registers(R"(Used (\d+) registers)");
  std::vector<PtxasRow> rows;
  bool complete = true;
  std::istringstream lines(text);
  std::smatch found;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, found, starts)) {
      if (!complete) break;
      rows.push_back({found[1], std::stoi(found[2]), -1, -1, -1});
      complete = false;
    } else if (!rows.empty() && std::regex_search(line, found, spills)) {
      rows.back().spill_stores = std::stoi(found[1]);
      rows.back().spill_loads = std::stoi(found[2]);
    } else if (!rows.empty() && std::regex_search(line, found, registers)) {
      rows.back().registers = std::stoi(found[1]);
      complete = rows.back().spill_stores >= 0;
    }
  }
  if (!complete) throw std::runtime_error("ptxas says nothing about " + rows.back().entry);
  return rows;
}

std::string type_of_entry(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return plain_kernel_type(status == 0 ? text.get() : mangled.c_str());
}

}  // namespace attest
