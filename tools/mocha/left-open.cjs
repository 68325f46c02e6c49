// Loaded before the tests. A run fails and ends if a test leaves something open, calls process.exit, does not handle a
// rejection, or throws after the last test. It names the test that made the open resource. Only then it ends the
// process by force.
'use strict';
const { readFileSync } = require('node:fs');
const { ResourceWatch } = require('./resource-watch.cjs');

/** Longest time, in milliseconds, for closing after the last test. */
const SETTLING_MS = 3_000;
/**
 * For requests to the file system, the wait may be longer by this factor, because they end by themselves: after it has
 * compiled something, tsx reads its cache, which often has 200,000 files.
 */
const MOST_FILE_WAITS = Number(process.env.TALLYBOOK_TEST_FILE_WAITS ?? 20);
/** Requests to the file system, and the standard streams. */
const FILES = /^(?:FSReq\w+|PipeWrap|TTYWrap)$/;

const watch = new ResourceWatch();
const complaints = [];
/** Rejections that were reported: mocha emits their event again. */
const complainedOf = new WeakSet();
let runningTest = 'the loading of the tests';
let isRunning = false;
const exit = process.exit;

watch.start(() => runningTest);

exports.mochaHooks = {
  beforeEach() {
    runningTest = `${relative(this.currentTest.file)}: ${this.currentTest.fullTitle()}`;
  },
  afterEach() {
    watch.attribute(runningTest);
  },
};

exports.mochaGlobalSetup = () => {
  isRunning = true;
  process.exit = (code) => {
    complaints.push(`process.exit(${code ?? ''}) was called in ${runningTest}`);
    throw new Error('a test may not call process.exit');
  };
  // Mocha gets this event too, and reports nothing.
  process.on('unhandledRejection', complainOfRejection);
  process.once('exit', (code) => {
    if (!isRunning) return;
    console.error(`the tests ended before the last one with code ${code}, in ${runningTest}`);
    process.exitCode = 1;
  });
};

exports.mochaGlobalTeardown = () => {
  isRunning = false;
  process.exit = (code) => {
    complaints.push(`process.exit(${code ?? ''}) was called after the last test`);
    exit.call(process, code);
  };
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.removeAllListeners(event).on(event, complain);
  }
  // This timer does not keep the process alive: if it fires, something else does.
  setTimeout(endByForce, SETTLING_MS, 1).unref();
  // Added after the listener with which mocha sets the exit code.
  setImmediate(() => process.once('exit', judge));
};

function complainOfRejection(reason, promise) {
  if (complainedOf.has(promise)) return;
  complainedOf.add(promise);
  complaints.push(`a rejection was not handled in ${runningTest}: ${describe(reason)}`);
}

function complain(error) {
  complaints.push(`after the last test: ${describe(error)}`);
}

function describe(error) {
  return error instanceof Error ? error.stack : String(error);
}

function endByForce(waits) {
  const left = watch.describe();
  const open = process.getActiveResourcesInfo();
  if (left.length === 0 && open.every((kind) => FILES.test(kind)) && waits < MOST_FILE_WAITS) {
    setTimeout(endByForce, SETTLING_MS, waits + 1).unref();
    return;
  }
  complaints.push(...(left.length > 0 ? left : [`open: ${open.join(', ')}`]));
  exit.call(process, 1);
}

function judge() {
  for (const { pid, command } of children()) {
    complaints.push(`process ${pid} still runs: ${command}`);
    process.kill(pid, 'SIGKILL');
  }
  if (complaints.length === 0) return;
  console.error(`\nThe tests did not clean up:\n${complaints.map((each) => `  ${each}\n`).join('')}`);
  process.exitCode = 1;
}

/** The child processes, except the process that compiles for tsx. */
function children() {
  const all = readIfThere(`/proc/self/task/${process.pid}/children`).split(' ').filter(Boolean);
  return all
    .map((pid) => ({
      pid: Number(pid),
      command: readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    }))
    .filter(({ command }) => command !== '' && !/esbuild --service/.test(command));
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function relative(file = '') {
  return file.replace(`${process.cwd()}/`, '');
}
