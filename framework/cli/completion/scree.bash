# Completion of the command line of scree in bash. The program says itself what it takes: --list-options prints the
# options of a command, those with a value with "=" behind them, and the names of commands where none is given.
_scree() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  type compopt >/dev/null 2>&1 && compopt -o filenames
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" --list-options 2>/dev/null)" -- "$word")
    return
  fi
  local options
  options=$("$program" "${COMP_WORDS[1]}" --list-options 2>/dev/null)
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${options//=/}" -- "$word")
  elif [[ ${COMP_WORDS[1]} == @(new|new-plugin) && $COMP_CWORD == 2 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" "${COMP_WORDS[1]}" --list-kinds 2>/dev/null)" -- "$word")
  elif [[ ${COMP_WORDS[1]} == plugins && $before != --plugin-path ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" plugins --list-names 2>/dev/null)" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _scree scree
