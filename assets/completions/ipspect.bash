# Completions of ipspect for bash: the program says what may stand at the end of the line.
_ipspect() {
    local line="${COMP_LINE:0:COMP_POINT}" words word value keep IFS=$' \t\n'
    # Bash would cut words at colons and equal signs, too.
    read -r -a words <<< "$line"
    [[ "$line" == *[[:space:]] ]] && words+=("")
    word="${words[${#words[@]} - 1]}"
    keep=""
    [[ "$COMP_WORDBREAKS" == *:* && "$word" == *:* ]] && keep="${word%"${word##*:}"}"
    [[ "$COMP_WORDBREAKS" == *=* && "${word#"$keep"}" == *=* ]] && keep="${word%"${word##*=}"}"
    COMPREPLY=()
    while IFS=$'\t' read -r value _; do
        case "$value" in
            :files) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "${word#"$keep"}")
                compopt -o filenames 2> /dev/null ;;
            :folders) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -d -- "${word#"$keep"}")
                compopt -o filenames 2> /dev/null ;;
            *[:\>]) COMPREPLY+=("${value#"$keep"}"); compopt -o nospace 2> /dev/null ;;
            ?*) COMPREPLY+=("${value#"$keep"}") ;;
        esac
    done < <("${words[0]}" __complete -- "${words[@]:1}" 2> /dev/null)
}
complete -F _ipspect ipspect
