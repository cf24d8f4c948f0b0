// Numbers as text. printf and strtod follow the process' locale, which belongs to the program that uses the library,
// so the decimal point is put right afterwards instead of changing the locale.
#include "output/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whatever stands between the digits and is no part of a C-locale number is the locale's decimal point, which may be
// several bytes long.
static size_t replace_decimal_point(char *text) {
    size_t length = 0;
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("0123456789+-einfa.", *c) != NULL) {
            text[length++] = *c;
        } else if (length > 0 && text[length - 1] != '.') {
            text[length++] = '.';
        }
    }
    text[length] = '\0';
    return length;
}

static void print_digits(double value, int digits, char out[CDG_NUMBER_SIZE]) {
    if (isnan(value)) {
        snprintf(out, CDG_NUMBER_SIZE, "nan"); // never "-nan": the sign of a NaN says nothing
    } else {
        snprintf(out, CDG_NUMBER_SIZE, "%.*g", digits, value);
    }
}

size_t cdg_number_exact(double value, char out[CDG_NUMBER_SIZE]) {
    print_digits(value, 17, out);
    return replace_decimal_point(out);
}

size_t cdg_number_shortest(double value, char out[CDG_NUMBER_SIZE]) {
    for (int digits = 15; digits <= 17; digits++) { // every decimal of 15 digits survives a double, so start there
        print_digits(value, digits, out);
        if (isnan(value) || strtod(out, NULL) == value) break;
    }
    return replace_decimal_point(out);
}

size_t cdg_number_shortest_float(float value, char out[CDG_NUMBER_SIZE]) {
    for (int digits = 6; digits <= 9; digits++) { // every decimal of 6 digits survives a float
        print_digits((double)value, digits, out);
        if (isnan(value) || strtof(out, NULL) == value) break;
    }
    return replace_decimal_point(out);
}
