#!/bin/sh
# Runs a command as the user of the service, with the settings and variables of the service and so on its store.
set -e
program=/usr/lib/tallybook
user=tallybook
settings=/etc/tallybook/tallybook.toml
variables=/etc/tallybook/env

fail() {
  printf 'tallybook: %s\n' "$1" >&2
  exit 2
}

# Whether the command is about the service: not with other settings, nor where it only explains itself.
for last in "${1-help}" "$@"; do :; done
is_of_service() {
  case "${1-help} $last" in
    help* | *' -h' | *' --help' | -V* | --version*) return 1 ;;
  esac
  [ -z "${TALLYBOOK_CONFIG+given}" ]
}

open_variables() {
  if [ ! -e "$variables" ]; then
    exec 3< /dev/null
  elif [ -r "$variables" ]; then
    exec 3< "$variables"
  else
    fail "$variables may not be read by this user; run the command as root: \"sudo tallybook ...\""
  fi
}

# Exports the variables of the open file as systemd does for the service, but for those that the caller gave. A shell would take
# the same lines for something else ($, #, spaces). Lines with escapes, which systemd also understands, are refused.
read_variables() {
  local number=0 given line name value
  given=" $(env | sed -n 's/^\([A-Za-z0-9_]*\)=.*/\1/p' | tr '\n' ' ')"
  while IFS= read -r line <&3 || [ -n "$line" ]; do
    number=$((number + 1)) plain=yes
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    case $line in
      *\\) plain=no ;;
      '' | '#'* | ';'*) continue ;;
      *\\*) plain=no ;;
      *=*) ;;
      *) plain=no ;;
    esac
    name=${line%%=*} value=${line#*=}
    value=${value#"${value%%[![:space:]]*}"}
    case $name in '' | [0-9]* | *[!A-Za-z0-9_]*) plain=no ;; esac
    case $value in
      \"*\"*\"* | \'*\'*\'*) plain=no ;;
      \"*\" | \'*\') value=${value#?} value=${value%?} ;;
      \"* | \'*) plain=no ;;
    esac
    if [ "$plain" = no ]; then
      fail "line $number of $variables is not a plain NAME=value: quotes may only be around a whole value, and \\ is not allowed"
    fi
    # Names with small letters are those of this script; the program has none.
    case $name in *[a-z]*) continue ;; esac
    case $given in *" $name "*) ;; *) export "$name=$value" ;; esac
  done
}

if [ "$(id -u)" = 0 ]; then
  umask 077
  # Root alone may be able to open the file, but gets none of the variables, such as LD_PRELOAD.
  if is_of_service "$@"; then
    open_variables
    export VARIABLES_ARE_OPEN=1
  fi
  export HOME=/var/lib/tallybook
  exec setpriv --reuid "$user" --regid "$user" --init-groups "$0" "$@"
fi
if [ "$(id -un)" = "$user" ]; then
  if is_of_service "$@"; then
    if [ -z "${VARIABLES_ARE_OPEN-}" ]; then open_variables; fi
    unset VARIABLES_ARE_OPEN
    read_variables
    exec 3<&-
  fi
  export TALLYBOOK_CONFIG="${TALLYBOOK_CONFIG-$settings}"
  # The home folder is that of the store, which a cache there would make a folder with other files.
  export CACHE_DIRECTORY=/var/cache/tallybook
elif [ -z "${TALLYBOOK_CONFIG-}" ] && is_of_service "$@"; then
  echo 'tallybook: only root can run a command on the store of the service: "sudo tallybook ..."' >&2
  exit 1
fi
exec "$program/node" "$program/bin/tallybook" "$@"
