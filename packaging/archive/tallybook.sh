#!/bin/sh
# Starts Tallybook with the Node of this archive, wherever the archive is unpacked, and also through a link.
set -e
home=$(dirname "$(readlink -f "$0")")/../lib/tallybook
exec "$home/node" "$home/bin/tallybook" "$@"
