// Goal: whatever a subject or a library says, the file stays XML, and says the same.
#include "harness/report/xml_text.hpp"

#include <gtest/gtest.h>

#include "tests/harness/report/parsed_xml.hpp"

namespace attest::xml_text_test {
namespace {

// An element with the text as attribute and as content, read by the other parser.
std::pair<std::string, std::string> read_back(const std::string& text) {
  XmlText xml;
  xml.open("all", {});
  xml.leaf("one", {{"name", text}}, text);
  xml.close();
  const ParsedXml parsed = parse_xml(xml.text());
  if (!parsed.root) return {parsed.error, xml.text()};
  const XmlElement& one = *parsed.root->children.at(0);
  return {one.at("name"), one.text};
}

TEST(XmlText, ReadsBackWhatXmlCanHold) {
  for (const std::string text :
       {"plain", "a < b && c > \"d\" 'e'", "two\nlines\tand\r\nmore\r", "]]> <!-- <![CDATA[",
        "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x90\x88", " edges "}) {
    EXPECT_EQ(read_back(text), std::pair(text, text));
  }
}

TEST(XmlText, MarksWhatXmlCannotHold) {
  const std::string mark = "\xEF\xBF\xBD";
  const struct {
    std::string text;
    std::string read;
  } rows[] = {{std::string("a\0b", 3), "a" + mark + "b"},        // no character
              {"\x1b[31m", mark + "[31m"},                       // nor this one
              {"\xff", mark},                                    // no UTF-8
              {"a\xC3", "a" + mark},                             // cut off
              {"\xC0\x80", mark + mark},                         // longer than need be
              {"\xE0\x80\x80", mark + mark + mark},              //
              {"\xED\xA0\x80", mark + mark + mark},              // half a pair of UTF-16
              {"\xEF\xBF\xBF", mark + mark + mark},              // U+FFFF
              {"\xF4\x90\x80\x80", mark + mark + mark + mark}};  // beyond the last one
  for (const auto& [text, read] : rows) EXPECT_EQ(read_back(text), std::pair(read, read));
}

TEST(XmlText, IsWellFormedForEveryPairOfBytes) {
  for (int a = 0; a < 256; ++a) {
    std::string text;
    for (int z = 0; z < 256; ++z) {
      text += static_cast<char>(a);
      text += static_cast<char>(z);
      text += ' ';
    }
    XmlText xml;
    xml.leaf("one", {{"name", text}}, text);
    EXPECT_EQ(parse_xml(xml.text()).error, "") << a;
  }
}

TEST(XmlText, NestsElements) {
  XmlText xml;
  xml.open("a", {{"x", "1"}, {"y", "2"}});
  xml.open("b", {});
  xml.leaf("c", {});
  xml.close();
  xml.leaf("d", {}, "text");
  xml.close();
  EXPECT_EQ(xml.text(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<a x=\"1\" y=\"2\">\n  <b>\n    <c/>\n  </b>\n  <d>text</d>\n</a>\n");
}

}  // namespace
}  // namespace attest::xml_text_test
