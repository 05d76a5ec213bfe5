# terminal.sh - sourced after cli.sh by tests of the simulator: types keys in a real terminal (tmux) and reads its
# screen.
command -v tmux >/dev/null || { echo "no tmux"; exit 77; }
unset TMUX NO_COLOR
LC_ALL=C.UTF-8
SHELL=/bin/sh # tmux runs its command by this shell
export LC_ALL SHELL
opened=0
trap 'terminal kill-server; kill_started; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# The path of the socket is relative, because the whole path may be longer than the name of a socket can be.
terminal() {
    (cd "$work" && tmux -S "./terminal.$opened" -f /dev/null -u "$@" 2>>tmux.log)
}

# opens [VARIABLE=VALUE] ARGUMENT...: runs `heddle sim ARGUMENT...` in a new terminal. Each terminal has its own tmux
# server, because a server that is about to end would end the next session too. Ctrl-C does not go to the shell.
opens() {
    set_variable=
    case $1 in [A-Z]*=*) set_variable=$1 && shift ;; esac
    terminal kill-server
    opened=$((opened + 1))
    terminal new-session -d -x 80 -y 24 \
        "trap : INT; $set_variable $HEDDLE sim $*; echo exit code \$?; exec sleep 3600"
}

screen() {
    terminal capture-pane -p "$@"
}

on_screen() {
    screen $2 | grep -q -e "$1"
}

# shows TEXT [-e]: waits until the screen shows the text; with -e the text includes the codes for colours. If the text
# does not appear, the test ends, because the next keys would make no sense.
shows() {
    await on_screen "$1" "${2-}" && return
    fail "no '$1' on the screen: $(screen ${2-})"
    exit 1
}

types() {
    terminal send-keys "$@"
}
