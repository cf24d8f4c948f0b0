# The command loads large libraries when it uses them for the first time: at its start alone they would take ten times
# as long as everything else. Stubs stand for their functions (scripts/lazy_libraries); what the linker is told to link
# with them is then not needed, and left out. Only where the stubs' instructions are known, and where the library is
# part of the command; else libraries are loaded at the start, as ever.
option(CORDAGE_LAZY "The command loads large libraries when they are needed" ON)

function(cordage_load_lazily command)
    if(NOT CORDAGE_LAZY OR BUILD_SHARED_LIBS OR CORDAGE_SANITIZE OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux"
       OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$" OR NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
        return()
    endif()
    set(libraries ${HDF5_LINK_LIBRARIES} ${LAPACKE_LINK_LIBRARIES} ${ASSIMP_LINK_LIBRARIES} ${ODE_LINK_LIBRARIES}
        ${CAIRO_LINK_LIBRARIES} ${WEBSOCKETS_LINK_LIBRARIES} $<TARGET_FILE:embree>)
    list(FILTER libraries EXCLUDE REGEX "^-|\\.a$|/lib(z|m|c|dl|pthread|cap)\\.so$")
    foreach(part IN LISTS command_parts)
        list(APPEND objects $<TARGET_OBJECTS:${part}>)
    endforeach()
    set(source ${PROJECT_BINARY_DIR}/lazy_libraries.c)
    set(exports ${PROJECT_BINARY_DIR}/lazy_libraries.list)
    add_custom_command(OUTPUT ${source} ${exports}
        COMMAND ${PROJECT_SOURCE_DIR}/scripts/lazy_libraries ${CMAKE_NM} ${source} ${exports} ${libraries} --
                $<TARGET_FILE:cordage> ${objects}
        DEPENDS ${PROJECT_SOURCE_DIR}/scripts/lazy_libraries cordage ${objects}
        COMMENT "Writing stubs of libraries" COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${command} PRIVATE ${source} ${PROJECT_SOURCE_DIR}/cli/lazy/lazy_load.c)
    target_include_directories(${command} PRIVATE ${PROJECT_SOURCE_DIR}/cli/lazy)
    target_link_options(${command} PRIVATE LINKER:--as-needed LINKER:--dynamic-list=${exports})
    set_property(TARGET ${command} APPEND PROPERTY LINK_DEPENDS ${exports})
endfunction()
