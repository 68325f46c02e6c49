#!/bin/sh
# Stands in for systemctl where systemd is installed but does not run: starts and stops the service as its unit says. It
# has neither the sandbox of systemd nor its restarts. What concerns only files, such as "preset", the real one does.
unit=/lib/systemd/system/tallybook.service
pidfile=/run/release-test.pid

action=
for word in "$@"; do
  case $word in
    is-active | start | stop | restart | daemon-reload) action=$word ;;
  esac
done

field() { sed -n "s/^$1=//p" "$unit" | tail -n 1; }
is_active() { [ -e "$pidfile" ] && kill -0 "$(cat "$pidfile")" 2> /dev/null; }

start() {
  is_active && return
  user=$(field User)
  cd "$(field WorkingDirectory)" || exit 1
  umask "$(field UMask)"
  # ExecStart has several words, so it has no quotes. Debconf waits for the end of all who have its descriptors 3 and 4.
  setsid setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --bounding-set -all \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin LANG=C.UTF-8 USER="$user" HOME=/var/lib/tallybook \
    STATE_DIRECTORY=/var/lib/tallybook CACHE_DIRECTORY=/var/cache/tallybook \
    $(field ExecStart) < /dev/null >> /run/release-test.log 2>&1 3>&- 4>&- &
  echo $! > "$pidfile"
}

stop() {
  is_active || return 0
  kill -TERM "$(cat "$pidfile")"
  while is_active; do sleep 0.1; done
}

case $action in
  '') exec /usr/bin/systemctl.real "$@" ;;
  is-active) is_active ;;
  start) start ;;
  stop) stop ;;
  restart) stop && start ;;
esac
