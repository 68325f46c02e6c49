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

open_variables() {
  if [ ! -e "$variables" ]; then
    exec 3< /dev/null
  elif [ -r "$variables" ]; then
    exec 3< "$variables"
  else
    fail "$variables may not be read by this user; run the command as root: \"sudo tallybook ...\""
  fi
}

# Exports the variables of the open file as systemd does for the service. A shell would take the same lines for something
# else ($, #, spaces). Lines with escapes, which systemd also understands, are refused.
read_variables() {
  local number=0 line name value
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
    export "$name=$value"
  done
}

if [ "$(id -u)" = 0 ]; then
  umask 077
  # Root alone may be able to open the file, but gets none of the variables, such as LD_PRELOAD.
  open_variables
  export HOME=/var/lib/tallybook VARIABLES_ARE_OPEN=1
  exec setpriv --reuid "$user" --regid "$user" --init-groups "$0" "$@"
fi
for last in "${1-help}" "$@"; do :; done
if [ "$(id -un)" = "$user" ]; then
  if [ -z "${VARIABLES_ARE_OPEN-}" ]; then open_variables; fi
  unset VARIABLES_ARE_OPEN
  # With other settings, the command is not about the service.
  if [ -z "${TALLYBOOK_CONFIG+given}" ]; then
    read_variables
    export TALLYBOOK_CONFIG="$settings"
  fi
  exec 3<&-
  # The home folder is that of the store, which a cache there would make a folder with other files.
  export CACHE_DIRECTORY=/var/cache/tallybook
elif [ -z "${TALLYBOOK_CONFIG-}" ]; then
  case "${1-help} $last" in
    help* | *' -h' | *' --help' | -V* | --version*) ;;
    *)
      echo 'tallybook: only root can run a command on the store of the service: "sudo tallybook ..."' >&2
      exit 1
      ;;
  esac
fi
exec "$program/node" "$program/bin/tallybook" "$@"
