// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/csv_cells.hpp"

namespace saltus::io {

std::vector<std::string_view> csv_cells(std::string_view line) {
  std::vector<std::string_view> result;
  std::size_t begin = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') is_quoted = !is_quoted;  // twice within a quoted cell: still in it
    if (line[i] != ',' || is_quoted) continue;
    result.push_back(line.substr(begin, i - begin));
    begin = i + 1;
  }
  result.push_back(line.substr(begin));
  return result;
}

std::string unquoted(std::string_view cell) {
  if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"') return std::string(cell);
  std::string text;
  for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
    text += cell[i];
    if (cell[i] == '"' && cell[i + 1] == '"' && i + 2 < cell.size()) ++i;
  }
  return text;
}

}  // namespace saltus::io
