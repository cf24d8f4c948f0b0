# Makes ${PROJECT_BINARY_DIR}/viewer/index.html.gz from viewer/ with npm's packages (viewer/package-lock.json), or, when
# CORDAGE_VIEWER is off, from a placeholder that says so. Included by cmake/embed_page.cmake, which names the file `page`.
set(CORDAGE_VIEWER_DEFAULT ON)
if(CORDAGE_SANITIZE OR CORDAGE_FUZZ)
    set(CORDAGE_VIEWER_DEFAULT OFF) # nothing there looks at the page
endif()
option(CORDAGE_VIEWER "Bundle the page of 'cordage view' and 'cordage export --to html' (needs npm)" ${CORDAGE_VIEWER_DEFAULT})

if(CORDAGE_VIEWER)
    file(GLOB page_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/*.* ${PROJECT_SOURCE_DIR}/viewer/src/*.js)
    add_custom_command(
        OUTPUT ${page}
        COMMAND ${PROJECT_SOURCE_DIR}/scripts/build_page ${PROJECT_BINARY_DIR}/viewer
        DEPENDS ${page_files} ${PROJECT_SOURCE_DIR}/scripts/build_page
        COMMENT "Bundling the viewer's page"
        VERBATIM)
else()
    set(placeholder ${PROJECT_SOURCE_DIR}/src/view/placeholder.html)
    add_custom_command(OUTPUT ${page} COMMAND gzip -9 -n -c ${placeholder} > ${page} DEPENDS ${placeholder} VERBATIM)
endif()
