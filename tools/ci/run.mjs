// All checks that must pass before a change is merged: .ci/run. Errors that a person would correct first are checked first. Then
// come the tests of `npm run test:all`, and those of each other supported version of Node. Nothing is done twice. At the end it lists the steps that could not run here,
// and the end of the output of each failed step.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTestFiles } from '../test-files.mjs';
import {
  allTests,
  BUILT,
  CHECKS,
  COVERING,
  describeTotals,
  LANES,
  OTHERS,
  properties,
} from '../test-lanes.mjs';
import { findWronglyLeftOut, readAllowed } from './check-left-out.mjs';
import { obtainTools } from './obtain.mjs';
import { findFailures, Lanes, runStep } from './step.mjs';

/** The supported versions of Node, besides the one that runs this. */
const NODE_VERSIONS = [20, 22, 24, 26];
/**
 * Tests for all other versions of Node, for code that depends on Node itself: processes (the main thread has another name on Node
 * 24, see `find-holder`), serial lines, addons, code compiled by V8, and `node:sqlite`, which Node 20 lacks. Streams and memory differ too (see `read-json`, and the
 * tests of clients that leave): a body once took a fifth more memory on Node 24.
 */
const ON_OTHER_NODES = [
  'system',
  ...filesOf('packages/readers', ['find-holder', 'process.slow']),
  ...filesOf('packages/server', ['process.slow', 'compiled-program.slow']),
  ...filesOf('examples/storage-package', ['sqlite-storage.slow']),
];
/**
 * Additional tests for the oldest and the newest version: all of HTTP, and addons. Calendars and Unicode come with Node, so the
 * rules that need them are included: times, names, order and comparison, and the characters of a text.
 */
const ON_OUTER_NODES = [
  ...['http-koa', 'client', 'passkeys-webauthn', 'identity-oidc'],
  ...['values', 'time', 'record/values', 'record/names', 'record/ranges', 'record/corrections'].map(
    (room) => `packages/domain/test/${room}`,
  ),
  ...filesOf('packages/domain', ['errors', 'lifecycle', 'access-users']),
  ...filesOf('packages/readers', ['serial-id-source', 'stdin-id-source', 'nothing-left']),
  ...filesOf('packages/store-level', ['contract', 'opening', 'write-failure', 'kill.slow']),
  ...filesOf('packages/server', ['program', 'scenario', 'http-limits.slow']),
  ...filesOf('examples/storage-package', ['installed.slow']),
];
/** Tests with many values for one rule. The rule is the same on all versions. */
const ON_ONE_NODE = [
  'packages/domain/test/**/*.slow.test.ts',
  'packages/http-koa/test/access/{access-table,hostile-roles}.slow.test.ts',
];
/**
 * Tests for a version between them: the parts of HTTP in which versions have differed. Other changes show on the newest
 * version.
 */
const ON_NODES_BETWEEN = filesOf('packages/http-koa', [
  ...['contract', 'event-connections.slow', 'event-limits', 'event-stream', 'export-left', 'first-body.slow'],
  ...['hostile-input.slow', 'large-answers', 'read-bytes', 'read-file', 'read-json', 'request-limits'],
  ...['send-pieces', 'snapshot-released'],
]);
/** The package for Debian natively, and the program for arm64 with only libraries of Debian. The other roots take longer. */
const RELEASE_TEST = [
  ...['node', 'tools/release-test/run.mjs', '--optional'],
  ...['bookworm-amd64', 'bare-bookworm-arm64'],
];
const MOCHA = ['node', 'node_modules/mocha/bin/mocha.js'];
/** Number of lines of a failed step that are shown again at the end. */
const LAST_LINES = 40;

const begin = performance.now();
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-ci-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

// Fails at once if a listed test does not exist.
const onOtherNodes = otherNodes();
const notDone = obtainTools().map((name) => `what needs ${name}, which cannot be installed here`);
const done = [];
// One lane more than the tests alone have: steps with a kernel, browsers and databases wait at least half of their time.
const lanes = new Lanes(LANES + 1);

judge([await runStep({ name: 'install and build', command: ['node', 'tools/run.mjs', 'prepare'] })]);
const checks = lanes.run([
  { name: 'lint', command: ['npx', 'oxlint'] },
  ...CHECKS,
  { name: 'API reports', command: ['node', 'tools/packages/api-reports.mjs', '--check'] },
  { name: 'format', command: ['npx', 'oxfmt', '--check'] },
  { name: 'unused code and dependencies', command: ['npm', 'run', '--silent', 'check:unused'] },
]);
const tests = allTests(MOCHA);
// The longest steps first, so that no lane waits for the others. They use the lanes that the checks leave free.
const tried = [
  lanes.run([
    // The tests already run the other parts, fuzz and soak.
    {
      name: 'kills, power cuts and simulated stations, in short',
      command: reliability('kills', 'cuts', 'simulation'),
    },
  ]),
  cover(),
  lanes.run([
    // The shortest steps last, so that the lanes end at about the same time.
    { name: 'mutants of changed lines', command: ['npm', 'run', '--silent', 'mutation', '--', '--changed'] },
    ...tests.steps(OTHERS, BUILT),
    ...onOtherNodes.toReversed(),
    { name: 'devices that the kernel simulates', command: ['node', 'uml/run.mjs', '--optional'] },
    // It waits for downloads and processes of others. Where a root cannot be made, it reports why.
    { name: 'the release, installed', command: RELEASE_TEST },
    // Without PostgreSQL, it reports that it was not run, and why.
    { name: 'two servers on one database, in short', command: reliability('servers') },
    { name: 'two versions on the same data', command: ['npm', 'run', '--silent', 'release:versions'] },
    { name: 'packed packages', command: ['npm', 'run', '--silent', 'check:packages'] },
    properties(MOCHA),
  ]),
];
// Shown as soon as the checks have ended, so that a person can correct errors before the tests end.
judge(await checks);
judge((await Promise.all(tried)).flat());
const results = tests.totals();
checkLeftOut();
end(0);

/** Runs the tests whose coverage counts, then checks the coverage. */
async function cover() {
  const covering = await lanes.run(tests.steps(COVERING));
  if (covering.some(({ isDone }) => !isDone)) return covering;
  const step = { name: 'coverage', command: ['npm', 'run', '--silent', 'check:coverage'] };
  return [...covering, ...(await lanes.run([step], { isNext: true }))];
}

/** Records the results of steps. If one has failed, the run fails. */
function judge(ended) {
  done.push(...ended);
  for (const { output } of ended) {
    for (const [, what] of output.matchAll(
      /^(the tests in User Mode Linux are left out: .*|.*NOT RUN.*)$/gm,
    )) {
      notDone.push(what.trim());
    }
  }
  const failed = ended.filter(({ isDone }) => !isDone);
  if (failed.length > 0) end(1, failed);
}

function otherNodes() {
  const own = Number(process.versions.node.split('.')[0]);
  const others = NODE_VERSIONS.filter((major) => major !== own);
  return others.map((major) => {
    const isOuter = major === Math.min(...NODE_VERSIONS) || major === Math.max(...NODE_VERSIONS);
    const more = isOuter ? ON_OUTER_NODES : ON_NODES_BETWEEN;
    const files = findTestFiles([...ON_OTHER_NODES, ...more]);
    const mocha = [...MOCHA, ...ON_ONE_NODE.flatMap((pattern) => ['--ignore', pattern]), ...files];
    const command = ['node', 'tools/ci/on-node.mjs', String(major), scratch, ...mocha];
    return { name: `what depends on Node, on Node ${major}`, command };
  });
}

function filesOf(folder, names) {
  return names.map((name) => `${folder}/test/${name}.test.ts`);
}

function reliability(...parts) {
  const node = ['node', '--import=tsx', '--conditions=@tallybook/source'];
  return [...node, 'reliability/run.ts', '--short', ...parts];
}

function checkLeftOut() {
  const wrong = findWronglyLeftOut(results.leftOut, readAllowed());
  const files = new Map(results.leftOut.map(({ file, reason }) => [`${file}: ${reason}`, reason]));
  for (const what of files.keys())
    if (
      !/deviates|its turn comes|its subjects have no fault|its journal begins anew|cuts the power/.test(what)
    )
      notDone.push(what);
  if (wrong.length === 0) return;
  console.log(`tests are left out that should run:\n${wrong.join('\n')}`);
  end(1);
}

/** Reports the results, and at the end the totals of the tests, or the failures and their reasons. */
function end(code, failed = []) {
  for (const { name, output } of failed)
    console.log(`\n== the end of ${name}\n${output.split('\n').slice(-LAST_LINES).join('\n')}`);
  console.log('\n== in all');
  for (const { name, seconds, isDone } of done)
    console.log(`${isDone ? 'done  ' : 'FAILED'} ${seconds} s: ${name}`);
  console.log(`${Math.round((performance.now() - begin) / 1_000)} s together`);
  for (const each of notDone) console.log(`not done here: ${each}`);
  if (code === 0) console.log(describeTotals(results));
  for (const { name, output } of failed) {
    console.log(`FAILED: ${name}`);
    for (const line of findFailures(output)) console.log(`  ${line}`);
  }
  process.exit(code);
}
