#include "harness/report/xml_text.hpp"

#include <cstdint>

#include "core/contract.hpp"

namespace attest {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The bytes of the UTF-8 character that the text begins with; 0 where it begins with none.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t n) { return static_cast<unsigned char>(text[n]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t point = first & (0xFFU >> (length + 1));
  for (std::size_t n = 1; n < length; ++n) {
    if ((byte(n) & 0xC0) != 0x80) return 0;
    point = point << 6 | (byte(n) & 0x3FU);
  }
  const bool shortest = point >= (length == 2 ? 0x80U : length == 3 ? 0x800U : 0x10000U);
  const bool allowed =
      point < 0xD800 || (point > 0xDFFF && point < 0xFFFE) || (point > 0xFFFF && point <= 0x10FFFF);
  return shortest && allowed ? length : 0;
}

std::string_view entity(char letter) {
  switch (letter) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return {};
  }
}

std::string escape(std::string_view text, bool of_attribute) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t length = length_of_character(text);
    const char letter = text.front();
    const bool space = letter == '\n' || letter == '\t' || letter == '\r';
    const bool control = length == 1 && static_cast<unsigned char>(letter) < 0x20 && !space;
    if (length == 0 || control) {
      escaped += kReplacement;
    } else if (!entity(letter).empty()) {
      escaped += entity(letter);
    } else if (letter == '\r' || (space && of_attribute)) {  // else read back as another space
      escaped += "&#" + std::to_string(static_cast<int>(letter)) + ";";
    } else {
      escaped += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return escaped;
}

}  // namespace

std::string xml_attribute(std::string_view text) { return escape(text, true); }

std::string xml_content(std::string_view text) { return escape(text, false); }

XmlText::XmlText() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

void XmlText::begin(std::string_view name, const Attributes& attributes) {
  text_ += std::string(2 * open_.size(), ' ') + "<" + std::string(name);
  for (const auto& [key, value] : attributes) {
    text_ += " " + std::string(key) + "=\"" + xml_attribute(value) + "\"";
  }
}

void XmlText::open(std::string_view name, const Attributes& attributes) {
  begin(name, attributes);
  text_ += ">\n";
  open_.emplace_back(name);
}

void XmlText::close() {
  ATTEST_EXPECTS(!open_.empty());
  const std::string name = open_.back();
  open_.pop_back();
  text_ += std::string(2 * open_.size(), ' ') + "</" + name + ">\n";
}

void XmlText::leaf(std::string_view name, const Attributes& attributes, std::string_view text) {
  begin(name, attributes);
  text_ += text.empty() ? "/>\n" : ">" + xml_content(text) + "</" + std::string(name) + ">\n";
}

std::string XmlText::text() const {
  ATTEST_EXPECTS(open_.empty());
  return text_;
}

}  // namespace attest
