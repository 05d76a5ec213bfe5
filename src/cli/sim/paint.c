/* paint.c - see paint.h. */
#define _GNU_SOURCE
#include "cli/sim/paint.h"

#include <curses.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

#include "base/check.h"

enum { TAB_WIDTH = 8, CELLS = 1024, ROWS_MOST = 500, COLUMNS_MOST = 1000 };

static attr_t attributes[PAINT_ROLES];
static SCREEN *terminal;

static void choose_attributes(bool colour) {
    static const struct {
        short foreground;
        attr_t attribute;
    } roles[PAINT_ROLES] = {
        [PAINT_STRONG] = {-1, A_BOLD},      [PAINT_FAINT] = {-1, A_DIM},
        [PAINT_BAR] = {-1, A_REVERSE},      [PAINT_HEADING] = {COLOR_CYAN, A_NORMAL},
        [PAINT_SELECTED] = {-1, A_REVERSE}, [PAINT_GOOD] = {COLOR_GREEN, A_NORMAL},
        [PAINT_BAD] = {COLOR_RED, A_BOLD},
    };
    for (short role = 1; role < PAINT_ROLES; role++) {
        attributes[role] = roles[role].attribute;
        if (colour && roles[role].foreground > 0) {
            init_pair(role, roles[role].foreground, -1);
            attributes[role] |= (attr_t)COLOR_PAIR(role);
        }
    }
}

static bool wants_colour(void) {
    const char *no_color = getenv("NO_COLOR");
    return !(no_color != NULL && *no_color) && has_colors();
}

/* Returns a size as curses would find it: curses reads the environment first. */
static long wanted_size(const char *variable, long of_terminal) {
    const char *text = getenv(variable);
    long size = text != NULL ? atol(text) : 0;
    return size > 0 ? size : of_terminal;
}

/* Tells curses a size of at most `most`. Returns the old value of the variable, because the program
 * must see the same environment. */
static char *limit_size(const char *variable, long of_terminal, long most) {
    const char *text = getenv(variable);
    char *before = text != NULL ? strdup(text) : NULL, limit[32];
    if (wanted_size(variable, of_terminal) > most) {
        snprintf(limit, sizeof limit, "%ld", most);
        setenv(variable, limit, 1);
    }
    return before;
}

static void put_back(const char *variable, char *before) {
    if (before != NULL)
        setenv(variable, before, 1);
    else
        unsetenv(variable);
    free(before);
}

/* curses allocates memory for every place of the screen. If the terminal claims to be huge (10,000
 * by 10,000), only a part is used. */
static SCREEN *open_terminal(void) {
    struct winsize size = {0};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    char *height = limit_size("LINES", size.ws_row, ROWS_MOST);
    char *width = limit_size("COLUMNS", size.ws_col, COLUMNS_MOST);
    SCREEN *screen = newterm(NULL, stdout, stdin);
    put_back("LINES", height);
    put_back("COLUMNS", width);
    return screen;
}

bool paint_open(void) {
    setlocale(LC_CTYPE, "");
    terminal = open_terminal();
    if (terminal == NULL)
        return false;
    if (tigetstr("cup") == NULL) { /* the terminal cannot move its cursor */
        paint_close();
        return false;
    }
    bool colour = wants_colour() && start_color() == OK && use_default_colors() == OK;
    choose_attributes(colour);
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    return true;
}

void paint_close(void) {
    if (terminal == NULL)
        return;
    endwin();
    delscreen(terminal);
    terminal = NULL;
}

/* Returns the next character of the text, replaced if it must not be shown. */
static wchar_t next_character(const char **text) {
    mbstate_t state = {0};
    wchar_t character = L'?';
    size_t length = mbrtowc(&character, *text, MB_CUR_MAX, &state);
    if (length == (size_t)-1 || length == (size_t)-2) {
        (*text)++;
        return L'?';
    }
    *text += length;
    return character == L'\t' || wcwidth(character) >= 0 ? character : L'?';
}

static int width_of(wchar_t character, int column) {
    return character == L'\t' ? TAB_WIDTH - column % TAB_WIDTH : wcwidth(character);
}

int paint_text(int row, int column, int width, enum paint_role role, bool fill, const char *text) {
    wchar_t cells[CELLS];
    int used = 0, count = 0;
    if (width > COLS - column)
        width = COLS - column;
    if (row < 0 || row >= LINES || width <= 0)
        return 0;
    while (*text && *text != '\n' && count + TAB_WIDTH < CELLS) {
        wchar_t character = next_character(&text);
        int wide = width_of(character, used);
        if (used + wide > width)
            break;
        for (int i = 0; character == L'\t' && i < wide; i++)
            cells[count++] = L' ';
        if (character != L'\t')
            cells[count++] = character;
        used += wide;
    }
    for (; fill && used < width && count < CELLS; used++)
        cells[count++] = L' ';
    attrset((int)attributes[role]);
    mvaddnwstr(row, column, cells, count);
    attrset(A_NORMAL);
    return used;
}

/* --- printing to the screen ----------------------------------------------------------------- */

static char *printed;
static size_t printed_size;

FILE *paint_begin(void) {
    FILE *out = open_memstream(&printed, &printed_size);
    CHECK(out);
    return out;
}

int paint_end(FILE *out, int row, int column, int width, enum paint_role role, bool fill) {
    CHECK(fclose(out) == 0);
    int used = paint_text(row, column, width, role, fill, printed);
    free(printed);
    return used;
}

void paint_heading(int row, int column, int width, bool active, const char *text) {
    attrset((int)attributes[PAINT_HEADING]);
    mvhline(row, column, ACS_HLINE, width);
    attrset(A_NORMAL);
    int used =
        paint_text(row, column + 2, width - 4, active ? PAINT_STRONG : PAINT_HEADING, false, text);
    mvaddch(row, column + 1, ' ');
    mvaddch(row, column + 2 + used, ' ');
}
