#!/bin/sh
# The first and only process of the simulated machine: makes it a system that tests can run in, and runs them.
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t configfs configfs /sys/kernel/config
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/dev/shm TMPDIR=/dev/shm TERM=dumb
cd "$TALLYBOOK_TEST_ROOT" || exit
echo 'tests begin'
IFS=,
# shellcheck disable=SC2086
"$TALLYBOOK_TEST_NODE" node_modules/mocha/bin/mocha.js --no-config --node-option import=tsx \
  --node-option conditions=@tallybook/source --require tools/fixed-seed.cjs \
  --require tools/mocha/left-out.cjs --require tools/mocha/left-open.cjs \
  --reporter tools/mocha/totals-reporter.mjs --forbid-only --forbid-pending --timeout 60000 $TALLYBOOK_TEST_FILES
echo "tests ended with code $?"

# LINUX_REBOOT_CMD_POWER_OFF: a program that does it is not on every machine, and the first process must not end.
perl -e 'syscall 169, 0xfee1dead, 672274793, 0x4321fedc, 0'
