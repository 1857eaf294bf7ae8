# Completions of ipspect for fish: the program says what may stand at the end of the line.
function __ipspect_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l before
    test (count $words) -gt 1; and set before $words[2..-1]
    for line in ($words[1] __complete -- $before "$word" 2> /dev/null)
        switch $line
            case ':files*'
                __fish_complete_path "$word"
            case ':folders*'
                __fish_complete_directories "$word" ''
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c ipspect -f -a '(__ipspect_complete)'
