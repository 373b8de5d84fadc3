# Shared by the scripts of this folder: what they say while they work.
# shellcheck shell=bash

# The name of a step, and why it is there. What it takes is said when it ends.
step() {
    step_started=$SECONDS
    if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
        printf '\033[1m==> %s\033[0m\n' "$1" >&2
    else
        printf '==> %s\n' "$1" >&2
    fi
}

# The step's outcome in a few words.
ok() {
    printf '    %s (%s s)\n' "$1" "$((SECONDS - step_started))" >&2
}

# One sentence that names what is missing and the command that helps; ends the script.
die() {
    printf '\nerror: %s\n' "$1" >&2
    exit 1
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# Runs a long command with its output in a file. On a terminal the seconds count up;
# elsewhere a line says every 30 seconds that it is still at work. When it fails, the
# end of its output is shown.
quietly() {
    local what=$1 log pid started=$SECONDS waited status=0
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        waited=$((SECONDS - started))
        if [[ -t 2 ]]; then
            printf '\r    %s … %s s ' "$what" "$waited" >&2
        elif ((waited > 0 && waited % 30 == 0)); then
            printf '    %s … %s s\n' "$what" "$waited" >&2
        fi
        sleep 1
    done
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
    wait "$pid" || status=$?
    if ((status != 0)); then
        tail -n 20 "$log" | sed 's/^/    | /' >&2
    fi
    rm -f "$log"
    return "$status"
}

# Debian packages, in one go. Without root, or where there is no apt, the one command to run.
apt_install() {
    local why=$1
    shift
    has apt-get || die "$why needs $*, and this system has no apt-get: install the equivalent of these Debian packages, then run this again."
    if [[ $(id -u) -ne 0 ]]; then
        die "$why needs packages that only root can install. Run: sudo apt-get update && sudo apt-get install -y --no-install-recommends $*"
    fi
    quietly "reading Debian's package lists" apt-get update ||
        die "Debian's package lists can't be read. Is there a network? Try: apt-get update"
    DEBIAN_FRONTEND=noninteractive quietly "installing $*" \
        apt-get install -y --no-install-recommends "$@" ||
        die "$why: apt-get can't install $*. Try: apt-get install -y $*"
}
