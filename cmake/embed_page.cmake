# Embeds the viewer's page, compressed, into the command. Included: defines cordage_embed_page.
# Run as a script (cmake -DOUTPUT=file -DPAGE=index.html.gz -P this): writes the C source.
if(CMAKE_SCRIPT_MODE_FILE)
    file(READ ${PAGE} hex HEX)
    file(SIZE ${PAGE} size)
    string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    file(WRITE ${OUTPUT} "// Generated from the viewer's page.\n#include \"view/page.h\"\n
const unsigned char cdg_page_bytes[] = {\n    ${bytes}};\nconst size_t cdg_page_size = ${size};\n")
    return()
endif()

set(CORDAGE_EMBED_PAGE_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

# Sets `output` to the name of the generated source. cmake/build_page.cmake, where it is there, makes the page
# ${PROJECT_BINARY_DIR}/viewer/index.html.gz from viewer/; without it a placeholder is embedded.
function(cordage_embed_page output)
    set(page ${PROJECT_BINARY_DIR}/viewer/index.html.gz)
    set(source ${PROJECT_BINARY_DIR}/view_page.c)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/viewer)
    if(EXISTS ${PROJECT_SOURCE_DIR}/cmake/build_page.cmake)
        include(${PROJECT_SOURCE_DIR}/cmake/build_page.cmake)
    else()
        set(placeholder ${PROJECT_SOURCE_DIR}/src/view/placeholder.html)
        add_custom_command(OUTPUT ${page} COMMAND gzip -9 -n -c ${placeholder} > ${page} DEPENDS ${placeholder} VERBATIM)
    endif()
    add_custom_command(
        OUTPUT ${source}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source} -DPAGE=${page} -P ${CORDAGE_EMBED_PAGE_SCRIPT}
        DEPENDS ${page} ${CORDAGE_EMBED_PAGE_SCRIPT}
        COMMENT "Embedding the viewer's page"
        VERBATIM)
    set(${output} ${source} PARENT_SCOPE)
endfunction()
