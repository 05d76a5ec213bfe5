# read.awk - lists the programs of the given files, one in each line. The fields are separated by
# tabs: file, name, verdict, kind of the finding (or -), executions (or -), options (or -), what is
# pending (or -).
function forget() {
    verdict = kind = executions = options = pending = "-"
}

FNR == 1 { inside = 0; forget() }
/^\/\* expect: / { forget(); inside = 1; verdict = $3; kind = NF > 3 && $4 != "*/" ? $4 : "-" }
inside && /^ \* executions: / { executions = $3 }
inside && /^ \* options: / { options = $0; sub(/^ \* options: /, "", options); sub(/ *\*\/$/, "", options) }
inside && /^ \* pending: / { pending = $0; sub(/^ \* pending: /, "", pending); sub(/ *\*\/$/, "", pending) }
/\*\/$/ { inside = 0 }
/^PROGRAM\(/ {
    name = $1
    sub(/^PROGRAM\(/, "", name)
    sub(/\).*$/, "", name)
    file = FILENAME
    sub(/^.*\//, "", file)
    printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", file, name, verdict, kind, executions, options, pending
    forget()
}
