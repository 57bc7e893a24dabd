// parsed_xml.hpp - XML as a strict parser of another hand reads it.
#pragma once

#include <expat.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace attest {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;
  std::vector<std::unique_ptr<XmlElement>> children;

  [[nodiscard]] std::string at(const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? "no " + attribute : found->second;
  }
  // The first that is named so, in its attribute `name`; null if there is none.
  [[nodiscard]] const XmlElement* child(const std::string& named) const {
    for (const auto& one : children) {
      if (one->at("name") == named) return one.get();
    }
    return nullptr;
  }
  // How many elements of this kind are anywhere below.
  [[nodiscard]] int count(const std::string& kind) const {
    int sum = 0;
    for (const auto& one : children) sum += (one->name == kind) + one->count(kind);
    return sum;
  }
};

struct ParsedXml {
  std::unique_ptr<XmlElement> root;
  std::string error;  // empty where the text is well-formed
};

[[nodiscard]] inline ParsedXml parse_xml(const std::string& text) {
  struct State {
    std::unique_ptr<XmlElement> root;
    std::vector<XmlElement*> open;
  } state;
  const auto start = [](void* data, const XML_Char* name, const XML_Char** attributes) {
    State& so_far = *static_cast<State*>(data);
    auto element = std::make_unique<XmlElement>();
    element->name = name;
    for (; *attributes != nullptr; attributes += 2)
      element->attributes[attributes[0]] = attributes[1];
    XmlElement* const raw = element.get();
    if (so_far.open.empty()) {
      so_far.root = std::move(element);
    } else {
      so_far.open.back()->children.push_back(std::move(element));
    }
    so_far.open.push_back(raw);
  };
  const auto end = [](void* data, const XML_Char*) { static_cast<State*>(data)->open.pop_back(); };
  const auto words = [](void* data, const XML_Char* letters, int length) {
    static_cast<State*>(data)->open.back()->text.append(letters, static_cast<std::size_t>(length));
  };
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), XML_ParserFree);
  XML_SetUserData(parser.get(), &state);
  XML_SetElementHandler(parser.get(), start, end);
  XML_SetCharacterDataHandler(parser.get(), words);
  const auto size = static_cast<int>(text.size());
  if (XML_Parse(parser.get(), text.data(), size, XML_TRUE) != XML_STATUS_OK) {
    return {nullptr, XML_ErrorString(XML_GetErrorCode(parser.get()))};
  }
  return {std::move(state.root), ""};
}

}  // namespace attest
