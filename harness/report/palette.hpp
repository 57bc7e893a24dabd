// palette.hpp - colour, or none: chosen by the program, which knows the terminal and NO_COLOR.
#pragma once

#include <string>
#include <string_view>

namespace attest {

struct Palette {
  bool coloured = false;

  [[nodiscard]] std::string red(std::string_view text) const { return paint("31;1", text); }
  [[nodiscard]] std::string green(std::string_view text) const { return paint("32;1", text); }
  [[nodiscard]] std::string yellow(std::string_view text) const { return paint("33;1", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return paint("2", text); }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    if (!coloured) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
};

}  // namespace attest
