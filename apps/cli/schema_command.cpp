// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "apps/cli/commands.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::cli {

int schema_command() {
  const std::string schema = model_schema();
  std::fputs(schema.c_str(), stdout);
  if (!schema.ends_with('\n')) std::fputc('\n', stdout);
  return Done;
}

}  // namespace saltus::cli
