#compdef ipspect
# Completions of ipspect for zsh: the program says what may stand at the end of the line.
_ipspect() {
    local line value about
    local -a values shown open open_shown before
    before=("${(@)words[2,CURRENT-1]}")
    while IFS= read -r line; do
        value="${line%%$'\t'*}" about="${line#*$'\t'}"
        case "$value" in
            :files) _files ;;
            :folders) _files -/ ;;
            *[:\>]) open+=("$value"); open_shown+=("$value${about:+  -- $about}") ;;
            ?*) values+=("$value"); shown+=("$value${about:+  -- $about}") ;;
        esac
    done < <("${words[1]}" __complete -- "${before[@]}" "${(Q)PREFIX}" 2> /dev/null)
    (( ${#values} )) && compadd -U -l -d shown -a values
    (( ${#open} )) && compadd -U -l -S '' -d open_shown -a open
    return 0
}
if [ "${funcstack[1]}" = "_ipspect" ]; then
    _ipspect "$@"
else
    compdef _ipspect ipspect
fi
