if(SALTUS_SANITIZE)
  add_compile_options(-fsanitize=${SALTUS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SALTUS_SANITIZE})
endif()
