#!/bin/sh
# Runs a command as the user of the service, with the settings of the service and so on its store.
set -e
program=/usr/lib/tallybook
user=tallybook
settings=/etc/tallybook/tallybook.toml

if [ "$(id -u)" = 0 ]; then
  export TALLYBOOK_CONFIG="${TALLYBOOK_CONFIG-$settings}"
  # The code that Node compiled is kept here, because the program folder belongs to root.
  export CACHE_DIRECTORY=/var/cache/tallybook HOME=/var/lib/tallybook
  umask 077
  exec setpriv --reuid "$user" --regid "$user" --init-groups \
    "$program/node" "$program/bin/tallybook" "$@"
fi
for last in "${1-help}" "$@"; do :; done
if [ "$(id -un)" = "$user" ]; then
  # The home folder is that of the store, which a cache there would make a folder with other files.
  export TALLYBOOK_CONFIG="${TALLYBOOK_CONFIG-$settings}" CACHE_DIRECTORY=/var/cache/tallybook
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
