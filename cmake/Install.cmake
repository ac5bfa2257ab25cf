# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, in three components, and the Debian packages that `cpack` makes
# of them: saltus (program, library, examples), libsaltus-dev, python3-saltus.
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/Saltus)
install(TARGETS saltus RUNTIME COMPONENT saltus)
install(TARGETS saltus_library EXPORT SaltusTargets
  LIBRARY COMPONENT saltus NAMELINK_COMPONENT libsaltus-dev
  FILE_SET HEADERS COMPONENT libsaltus-dev)
install(EXPORT SaltusTargets NAMESPACE saltus:: DESTINATION ${package_directory}
  COMPONENT libsaltus-dev)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SaltusConfig.cmake.in
  ${PROJECT_BINARY_DIR}/SaltusConfig.cmake INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SaltusConfig.cmake ${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake
  DESTINATION ${package_directory} COMPONENT libsaltus-dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/saltus
  COMPONENT saltus FILES_MATCHING PATTERN *.json PATTERN *.msh PATTERN *.cpp PATTERN *.py)
install(FILES ${PROJECT_SOURCE_DIR}/schema/saltus.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/saltus COMPONENT saltus)
if(SALTUS_PYTHON_PACKAGE)
  set(SALTUS_PYTHON_DIRECTORY lib/python3/dist-packages CACHE STRING
    "Where the Python package is installed, from the prefix")
  install(TARGETS saltus_engine LIBRARY DESTINATION ${SALTUS_PYTHON_DIRECTORY}/saltus
    COMPONENT python3-saltus)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/saltus DESTINATION ${SALTUS_PYTHON_DIRECTORY}
    COMPONENT python3-saltus FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed
    PATTERN __pycache__ EXCLUDE)
endif()
foreach(component saltus libsaltus-dev python3-saltus)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL saltus libsaltus-dev)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "nonsmooth flexible multibody dynamics")
set(CPACK_PACKAGE_CONTACT "The Saltus project")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(same_version "saltus (= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_SALTUS_PACKAGE_NAME saltus)
set(CPACK_DEBIAN_SALTUS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SALTUS_PACKAGE_RECOMMENDS libopenblas0-serial)
set(CPACK_COMPONENT_SALTUS_DESCRIPTION
  "Simulates mechanisms of rigid and flexible bodies with joints, contact, friction and impacts.
 The program, its library and the example models.")

set(CPACK_DEBIAN_LIBSALTUS-DEV_PACKAGE_NAME libsaltus-dev)
set(CPACK_DEBIAN_LIBSALTUS-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBSALTUS-DEV_PACKAGE_DEPENDS "${same_version}, libeigen3-dev (>= 3.4)")
set(CPACK_DEBIAN_LIBSALTUS-DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_LIBSALTUS-DEV_DESCRIPTION
  "Headers of the library and its CMake package, find_package(Saltus).")

if(SALTUS_PYTHON_PACKAGE)
  list(APPEND CPACK_COMPONENTS_ALL python3-saltus)
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON3-SALTUS_PACKAGE_NAME python3-saltus)
  set(CPACK_DEBIAN_PYTHON3-SALTUS_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON3-SALTUS_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON3-SALTUS_PACKAGE_RECOMMENDS "python3-h5py, python3-matplotlib")
  set(CPACK_COMPONENT_PYTHON3-SALTUS_DESCRIPTION
    "The Python package: models, runs, results as NumPy arrays, plots.")
endif()
include(CPack)
