#!/bin/bash
# Runs the commands that come from the host, one after another: "NUMBER COMMAND", with the command in base64. The answer
# is "NUMBER EXIT-CODE OUTPUT", with the output in base64.
exec 3<> /dev/virtio-ports/agent
echo "booted $(cat /proc/sys/kernel/random/boot_id)" >&3
while read -r number command <&3; do
  output=$(bash -c "$(base64 -d <<< "$command")" 2>&1 < /dev/null)
  echo "$number $? $(base64 -w0 <<< "$output")" >&3
done
