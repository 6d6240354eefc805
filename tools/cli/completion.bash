# Completion of clreduce for bash: all words come from the help and the lists that the tool prints. zsh reads it after
# 'autoload -U bashcompinit; bashcompinit'.

# The words that a value may have, by its form in the help: small letters are fixed words, capitals are kinds of names.
_clreduce_words() {
  local tool=$1 word
  for word in $(tr '|,[]:+' '      ' <<<"$2"); do
    case ${word%...} in
      OP) "$tool" list ops ;;
      TYPE) "$tool" list types ;;
      STRATEGY) echo 'auto ' && "$tool" list strategies ;;
      SEL) "$tool" query | sed -n 's/^\([0-9][0-9]*\)  \([^ ]*\).*/\1 \n\2 /p' ;;
      '' | options) ;;
      *[!a-z_]*) ;;  # a file, a number, or another kind of name
      *) echo "${word%...} " ;;
    esac
  done 2>/dev/null | sed -n '/^and [a-z]/d; /^[a-z]*  *\(elements\|work\|NumPy\)/d; s/^\([^ ][^ ]*\) .*/\1/p'
}

_clreduce() {
  local tool=${COMP_WORDS[0]/#\~/$HOME} verb=${COMP_WORDS[1]}
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verbs help words=''
  if [ "$COMP_CWORD" -eq 1 ] || [ "$COMP_CWORD:$verb" = 2:help ]; then
    verbs=$("$tool" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
    [ "$COMP_CWORD" -eq 1 ] && words='help --help --version'
    words="$verbs $words"
  else
    help=$("$tool" help "$verb" 2>/dev/null)
    if [[ $word == -* ]]; then
      words=$(sed -n 's/^  \(--*[a-z-]*\) .*/\1/p; s/^  \(--*[a-z-]*\)$/\1/p' <<<"$help")
    elif [[ $before == -* ]]; then
      words=$(_clreduce_words "$tool" "$(sed -n "s/^  $before \([^ ][^ ]*\).*/\1/p" <<<"$help")")
    elif [ "$COMP_CWORD" -eq 2 ]; then
      words=$(_clreduce_words "$tool" "$(sed -n "1s/^usage: clreduce [a-z]* \([^ ]*\).*/\1/p" <<<"$help")")
      [ "$verb" = reduce ] && words="$words median quantile: top: bottom:"
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o bashdefault -o default -F _clreduce clreduce
