// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "saltus/io/hdf5_handle.hpp"

namespace saltus::io {

/// UTF-8 text of fixed length, padded with zeros, or of length H5T_VARIABLE.
inline Hdf5Handle text_type(std::size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(length, 1));
  H5Tset_cset(type, H5T_CSET_UTF8);
  if (length != H5T_VARIABLE) H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

}  // namespace saltus::io
