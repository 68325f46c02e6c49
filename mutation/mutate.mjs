// Runs Stryker over the sources of this copy of the project and prints what came of it. Started by run.mjs.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PACKAGES } from './packages.mjs';
import { LOWEST_SCORE, report } from './report.mjs';
import { runStryker, strykerVersion } from './stryker.mjs';

const { names, file, tests, concurrency, force } = readArguments();
const begin = performance.now();
const rows = [];
for (const name of names) {
  const results = await mutate(name);
  if (results.length === 0) fail(`no source of ${name} is named ${file}, or no test ${tests}`);
  const { row, unexplained } = report(name, results, (path) => readFileSync(path, 'utf8'));
  for (const { file, line, change, status } of unexplained)
    console.log(`${status} ${file}:${line}  ${change}`);
  rows.push(row);
}
console.table(rows);
console.log(
  `${file} of ${names.join(' and ')}, with the tests ${tests}; Stryker ${strykerVersion}, Node ${process.versions.node}; ` +
    `took ${Math.round((performance.now() - begin) / 1_000)} s`,
);
process.exit(rows.every((row) => row['score %'] >= LOWEST_SCORE) ? 0 : 1);

function mutate(name) {
  return runStryker(name, {
    tests,
    mutate: [`packages/${name}/src/**/${file}`],
    incremental: true,
    incrementalFile: `mutation/results/${name}.json`,
    force,
    concurrency,
  }).catch(({ message }) => fail(message));
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        file: { type: 'string', default: '*.ts' },
        tests: { type: 'string', default: '*' },
        concurrency: { type: 'string', default: '2' },
        force: { type: 'boolean', default: false },
      },
    });
    const unknown = positionals.find((name) => !Object.hasOwn(PACKAGES, name));
    if (unknown !== undefined)
      fail(`a package is one of ${Object.keys(PACKAGES).join(', ')}; got ${unknown}`);
    const count = Number(values.concurrency);
    if (!Number.isInteger(count) || count < 1)
      fail(`--concurrency is a whole number from 1; got ${values.concurrency}`);
    return {
      ...values,
      concurrency: count,
      names: positionals.length > 0 ? positionals : Object.keys(PACKAGES),
    };
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(`mutation: ${message}`);
  process.exit(2);
}
