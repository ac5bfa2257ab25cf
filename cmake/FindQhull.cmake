# Qhull: header libqhull_r/qhull_ra.h, imported target Qhull::Qhull (the reentrant library).
find_path(Qhull_INCLUDE_DIR libqhull_r/qhull_ra.h)
find_library(Qhull_LIBRARY qhull_r)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Qhull REQUIRED_VARS Qhull_LIBRARY Qhull_INCLUDE_DIR)
if(Qhull_FOUND AND NOT TARGET Qhull::Qhull)
  add_library(Qhull::Qhull UNKNOWN IMPORTED)
  set_target_properties(Qhull::Qhull PROPERTIES
    IMPORTED_LOCATION ${Qhull_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Qhull_INCLUDE_DIR})
endif()
