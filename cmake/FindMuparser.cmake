# Muparser: header muParser.h, imported target Muparser::Muparser.
find_path(Muparser_INCLUDE_DIR muParser.h)
find_library(Muparser_LIBRARY muparser)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Muparser REQUIRED_VARS Muparser_LIBRARY Muparser_INCLUDE_DIR)
if(Muparser_FOUND AND NOT TARGET Muparser::Muparser)
  add_library(Muparser::Muparser UNKNOWN IMPORTED)
  set_target_properties(Muparser::Muparser PROPERTIES
    IMPORTED_LOCATION ${Muparser_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Muparser_INCLUDE_DIR})
endif()
