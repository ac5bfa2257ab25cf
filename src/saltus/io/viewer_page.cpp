// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/viewer_page.hpp"

// The assembler copies the file: as a string of C++ it would take the compiler minutes.
__asm__(
    ".pushsection .rodata\n"
    ".global saltus_viewer_page_begin\n"
    ".global saltus_viewer_page_end\n"
    "saltus_viewer_page_begin:\n"
    ".incbin \"" SALTUS_VIEWER_PAGE
    "\"\n"
    "saltus_viewer_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" const char saltus_viewer_page_begin[];
extern "C" const char saltus_viewer_page_end[];

namespace saltus::io {

std::string_view viewer_page() {
  return {saltus_viewer_page_begin,
          static_cast<std::size_t>(saltus_viewer_page_end - saltus_viewer_page_begin)};
}

}  // namespace saltus::io
