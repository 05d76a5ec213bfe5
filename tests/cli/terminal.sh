# terminal.sh - sourced after cli.sh by tests of the simulator: a real terminal (tmux), in which keys are typed and
# the screen is looked at.
command -v tmux >/dev/null || { echo "no tmux"; exit 77; }
unset TMUX NO_COLOR
LC_ALL=C.UTF-8
SHELL=/bin/sh # runs what the terminal is opened with
export LC_ALL SHELL
opened=0
trap 'terminal kill-server; kill_started; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# The socket is named from here, since the whole of its path may be longer than a socket's name can be.
terminal() {
    (cd "$work" && tmux -S "./terminal.$opened" -f /dev/null -u "$@" 2>>tmux.log)
}

# opens [VARIABLE=VALUE] ARGUMENT...: `heddle sim ARGUMENT...` in a new terminal. A server of its own
# each: one that is about to end would take the next session with it. Ctrl-C is not for the shell.
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

# shows TEXT [-e]: the screen does, sooner or later; with -e as the codes for its colours are. What would be typed
# next makes no sense if it does not.
shows() {
    await on_screen "$1" "${2-}" && return
    fail "no '$1' on the screen: $(screen ${2-})"
    exit 1
}

types() {
    terminal send-keys "$@"
}
