// Everything that must hold before a change lands: .ci/run. What a person would mend first is tried first; then the tests, on
// each supported version of Node. Nothing is done twice. At the end it says what it could not do.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTestArguments } from '../test-files.mjs';
import { findWronglyLeftOut, readAllowed } from './check-left-out.mjs';
import { obtainNode, obtainTools } from './obtain.mjs';
import { runSideBySide, runStep } from './step.mjs';

/** The versions of Node that are supported, beside the one that runs this. */
const NODE_VERSIONS = [20, 22, 24];
/** What is run on the other versions: all that runs in the process of the tests, and the service as a process. */
const ON_OTHER_NODES = [
  ...[
    'domain',
    'testing',
    'store-memory',
    'store-level',
    'clock-system',
    'devices',
    'readers',
    'spreadsheets',
    'http-koa',
  ],
  ...['process', 'program', 'scenario', 'http-limits'].map((name) => `packages/server/test/${name}.test.ts`),
];
const MOCHA = 'node_modules/mocha/bin/mocha.js';
const lanes = Math.min(2, availableParallelism());

const begin = performance.now();
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-ci-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
const resultsFile = join(scratch, 'results.json');

const notDone = obtainTools().map((name) => `what needs ${name}, which cannot be installed here`);
const done = [];

await phase([{ name: 'install and build', command: ['node', 'tools/run.mjs', 'prepare'] }]);
await phase([
  { name: 'types', command: ['node', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.test.json'] },
  {
    name: 'types of the page',
    command: ['node', 'node_modules/typescript/bin/tsc', '-p', 'packages/web/tsconfig.test.json'],
  },
  { name: 'lint', command: ['npx', 'eslint', '.', '--max-warnings', '0'] },
  { name: 'format', command: ['npx', 'prettier', '--check', '--log-level', 'warn', '.'] },
  { name: 'imports', command: ['npm', 'run', '--silent', 'check:imports'] },
  { name: 'unused code and dependencies', command: ['npm', 'run', '--silent', 'check:unused'] },
]);
await phase([
  {
    name: `all tests, with coverage, on Node ${process.versions.node}`,
    command: ['npm', 'test'],
    variables: { TALLYBOOK_TEST_CHECKED: 'yes', TALLYBOOK_TEST_RESULTS: resultsFile },
  },
  { name: 'packed packages', command: ['npm', 'run', '--silent', 'check:packages'] },
  ...otherNodes(),
  // The tests have run the other parts, fuzz and soak.
  { name: 'kills and power cuts, in short', command: reliability('kills', 'cuts') },
  { name: 'mutants of changed lines', command: ['npm', 'run', '--silent', 'mutation', '--', '--changed'] },
  { name: 'devices that the kernel simulates', command: ['node', 'uml/run.mjs', '--optional'] },
]);
const results = JSON.parse(readFileSync(resultsFile, 'utf8'));
checkLeftOut();
await phase([{ name: 'coverage', command: ['npm', 'run', '--silent', 'check:coverage'] }]);
end(0);

/** Runs steps side by side; when all have ended and one has failed, so has the run. */
async function phase(steps) {
  const ended = steps.length === 1 ? [await runStep(steps[0])] : await runSideBySide(steps, lanes);
  done.push(...ended);
  for (const { output } of ended) {
    for (const [, what] of output.matchAll(
      /^(the tests in User Mode Linux are left out: .*|.*NOT RUN.*)$/gm,
    )) {
      notDone.push(what.trim());
    }
  }
  const failed = ended.filter(({ isDone }) => !isDone).map(({ name }) => name);
  if (failed.length === 0) return;
  console.log(`FAILED: ${failed.join(', ')}`);
  end(1);
}

function otherNodes() {
  const own = Number(process.versions.node.split('.')[0]);
  const others = NODE_VERSIONS.filter((major) => major !== own);
  return others.flatMap((major) => {
    const bin = obtainNode(major, scratch);
    if (bin === undefined) {
      notDone.push(`the quick tests on Node ${major}, which cannot be fetched`);
      return [];
    }
    const variables = { PATH: `${bin}:${process.env.PATH}` };
    const quick = parseTestArguments(ON_OTHER_NODES).files;
    return [{ name: `quick tests on Node ${major}`, command: ['node', MOCHA, ...quick], variables }];
  });
}

function reliability(...parts) {
  const node = ['node', '--import=tsx', '--conditions=@tallybook/source'];
  return [...node, 'reliability/run.ts', '--short', ...parts];
}

function checkLeftOut() {
  const wrong = findWronglyLeftOut(results.leftOut, readAllowed());
  const files = new Map(results.leftOut.map(({ file, reason }) => [`${file}: ${reason}`, reason]));
  for (const what of files.keys()) if (!/deviates|its turn comes/.test(what)) notDone.push(what);
  if (wrong.length === 0) return;
  console.log(`tests are left out that should run:\n${wrong.join('\n')}`);
  end(1);
}

/** Says what came of it, last the totals of the tests. */
function end(code) {
  console.log('\n== in all');
  for (const { name, seconds, isDone } of done)
    console.log(`${isDone ? 'done  ' : 'FAILED'} ${seconds} s: ${name}`);
  console.log(`${Math.round((performance.now() - begin) / 1_000)} s together`);
  for (const each of notDone) console.log(`not done here: ${each}`);
  if (code === 0) {
    const { passed, failed, leftOut } = results;
    console.log(
      `${passed} passed, ${failed} failed${leftOut.length > 0 ? `, ${leftOut.length} skipped` : ''}`,
    );
  }
  process.exit(code);
}
