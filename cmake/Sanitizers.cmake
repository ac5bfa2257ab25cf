# Without the checks of every pointer for null, alignment and size: in expressions of Eigen they double the
# time to compile, and what they would find ends in a fault or in the address sanitizer.
if(SALTUS_SANITIZE)
  add_compile_options(-fsanitize=${SALTUS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
    -fno-sanitize=null,alignment,object-size,vptr)
  add_link_options(-fsanitize=${SALTUS_SANITIZE})
endif()
