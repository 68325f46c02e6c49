// Tries to make Tallybook lose what it acknowledged, and prints what came of it as one table.
//
//   npm run reliability                                  everything, in full
//   npm run reliability -- --short                       less of everything, for every change
//   npm run reliability -- kills --count 300 --seed 1    a part
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import type { Outcome, RunOptions } from './part.js';
import { parts } from './parts.js';
import { formatTable } from './table.js';

const { names, options } = readArguments();
// So that no files are left, even after a failure: all parts make their folders here.
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-reliability-'));
process.env['TMPDIR'] = scratch;
process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

const rows: (readonly string[])[] = [];
let failures = 0;
for (const name of names) {
  console.error(`${name} ...`);
  const begin = performance.now();
  const outcome = await runPart(name);
  rows.push(...outcome.figures.map(({ what, value }) => [name, what, value.toLocaleString('en')]));
  if (outcome.notRun !== undefined) rows.push([name, 'NOT RUN', outcome.notRun]);
  rows.push([name, 'failures', String(outcome.failures.length)]);
  rows.push([name, 'seconds', String(Math.round((performance.now() - begin) / 1_000))]);
  failures += outcome.failures.length;
  for (const failure of outcome.failures) console.log(`${name} FAILED: ${failure}\n`);
}
console.log(formatTable(['part', 'what', 'figure'], rows));
console.log(`seed ${options.seed}, Node ${process.versions.node}`);
process.exit(failures === 0 ? 0 : 1);

async function runPart(name: string): Promise<Outcome> {
  try {
    const part = await parts[name]?.();
    if (part === undefined) throw new Error('there is no such part');
    return await part(options);
  } catch (error) {
    return { figures: [], failures: [inspect(error)] };
  }
}

function readArguments(): { readonly names: readonly string[]; readonly options: RunOptions } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        short: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        count: { type: 'string' },
        replay: { type: 'string' },
      },
    });
    const all = Object.keys(parts);
    const unknown = positionals.find((name) => !all.includes(name));
    if (unknown !== undefined) fail(`a part is one of ${all.join(', ')}; got ${unknown}`);
    const options: RunOptions = {
      seed: readWhole('--seed', values.seed),
      isShort: values.short,
      ...(values.count === undefined ? {} : { count: readWhole('--count', values.count) }),
      ...(values.replay === undefined ? {} : { replay: values.replay }),
    };
    return { names: positionals.length > 0 ? positionals : all, options };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function readWhole(flag: string, text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  return fail(`${flag} is a whole number from 0 to 999999999; got ${text}`);
}

function fail(message: string): never {
  console.error(`reliability: ${message}`);
  process.exit(2);
}
