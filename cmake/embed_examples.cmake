# Embeds examples/*.yaml into the command, so that it needs no data files. Included: defines cordage_embed_examples.
# Run as a script (cmake -DOUTPUT=file -DFILES=a;b -P this): writes the C source, whatever the files' sizes.
if(CMAKE_SCRIPT_MODE_FILE)
    set(arrays "")
    set(entries "")
    set(count 0)
    foreach(file IN LISTS FILES)
        get_filename_component(name ${file} NAME_WE)
        file(READ ${file} hex HEX)
        file(SIZE ${file} size)
        string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
        # a closing zero, not counted in the size, makes the text a C string
        string(APPEND arrays "static const unsigned char example_${count}[] = {\n    ${bytes}0};\n")
        string(APPEND entries "    {\"${name}\", (const char *)example_${count}, ${size}},\n")
        math(EXPR count "${count} + 1")
    endforeach()
    file(WRITE ${OUTPUT} "// Generated from examples/*.yaml.\n#include \"examples_data.h\"\n\n${arrays}
const example_file cdg_example_files[] = {\n${entries}    {NULL, NULL, 0},\n};
const size_t cdg_example_file_count = ${count};\n")
    return()
endif()

set(CORDAGE_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

# Sets `output` to the name of the generated source.
function(cordage_embed_examples output)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.yaml)
    set(source ${PROJECT_BINARY_DIR}/examples_data.c)
    # Without examples there is no dependency that would notice the last one go, hence the list as a dependency.
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/examples_list.txt CONTENT "${files}\n")
    add_custom_command(
        OUTPUT ${source}
        COMMAND ${CMAKE_COMMAND} -DOUTPUT=${source} "-DFILES=${files}" -P ${CORDAGE_EMBED_SCRIPT}
        DEPENDS ${files} ${CORDAGE_EMBED_SCRIPT} ${PROJECT_BINARY_DIR}/examples_list.txt
        COMMENT "Embedding the examples"
        VERBATIM)
    set(${output} ${source} PARENT_SCOPE)
endfunction()
