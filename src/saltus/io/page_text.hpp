// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace saltus::io {

/// A text as it may stand in a page, in attributes, too.
inline std::string page_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// For pages without scripts: nothing is run, nothing is fetched, whatever names are in them.
constexpr const char* page_policy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'\">";

}  // namespace saltus::io
