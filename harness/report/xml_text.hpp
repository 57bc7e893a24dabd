// xml_text.hpp - well-formed XML 1.0 in UTF-8, whatever the text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

// With &, <, > and quotes as entities, line ends and tabs as references. What XML cannot hold at
// all, control characters and bytes that are no UTF-8, becomes U+FFFD.
[[nodiscard]] std::string xml_attribute(std::string_view text);
// The same, but that line ends and tabs stay as they are.
[[nodiscard]] std::string xml_content(std::string_view text);

// Elements in the order in which they are opened, one a line.
class XmlText {
 public:
  using Attributes = std::vector<std::pair<std::string_view, std::string>>;

  XmlText();
  void open(std::string_view name, const Attributes& attributes);
  void close();
  // An element with nothing but text in it, which may be empty.
  void leaf(std::string_view name, const Attributes& attributes, std::string_view text = "");
  // Requires: every element was closed.
  [[nodiscard]] std::string text() const;

 private:
  void begin(std::string_view name, const Attributes& attributes);

  std::string text_;
  std::vector<std::string> open_;
};

}  // namespace attest
