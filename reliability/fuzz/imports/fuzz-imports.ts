import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { breakBackup } from './broken-backups.js';
import { spawnTallybook } from '../../spawn-tallybook.js';
import { HEAP_OPTIONS, peakRssOf } from '../fuzzed-server.js';
import { randomOf } from '../../random.js';
import { escapeBytes } from '../script.js';

/** The result of importing broken backups. */
export interface ImportTally {
  readonly files: number;
  readonly accepted: number;
  readonly refused: number;
  /** The peak memory of an import, in bytes. */
  readonly peakRss: number;
  readonly failures: readonly string[];
}

/** The result of a run of the command line. */
export interface Run {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  readonly peakRss: number;
}

/** A part of every name in the backup: it shows whether a message quotes a name. */
const SECRET = 'Beeblebrox';
/** How many names and entries the store holds, and the prefix of their tags. */
const HELD = 24;
const HELD_ID = 'FEED03';
const CONCURRENCY = 2;
const ENOUGH_FAILURES = 5;
const PATIENCE_MS = 180_000;

/**
 * Imports broken backups into a store with data, each with the real command line.
 *
 * @param largeLines Lines of the large files.
 */
export async function fuzzImports(
  folder: string,
  files: number,
  largeLines: number,
  seed: number,
): Promise<ImportTally> {
  const base = join(folder, 'base');
  const sound = await makeStore(base, folder);
  const tally = { accepted: 0, refused: 0, peakRss: 0, failures: [] as string[] };
  const judge = async (name: string, file: string, shown: () => string): Promise<void> => {
    const store = join(folder, `store-${name}`);
    await cp(base, store, { recursive: true });
    const before = await fingerprint(store);
    const result = await run(['import', '--store', `level:${store}`, file]);
    tally.peakRss = Math.max(tally.peakRss, result.peakRss);
    const problem =
      findImportProblem(result) ??
      (await (result.code === 0 ? findDamage(store) : findChange(store, before)));
    if (result.code === 0) tally.accepted++;
    else tally.refused++;
    if (problem !== undefined)
      tally.failures.push(`import ${name} of seed ${seed}: ${problem}; the file ${shown()}`);
    await rm(store, { recursive: true });
    await rm(file);
  };

  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files && tally.failures.length < ENOUGH_FAILURES) {
      const number = next++;
      const bytes = breakBackup(randomOf(seed, `import ${number}`), sound);
      const file = join(folder, `backup-${number}`);
      await writeFile(file, bytes);
      await judge(String(number), file, () => escapeBytes(bytes, 4_000));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  for (const [name, content] of Object.entries(largeFiles(largeLines))) {
    const file = join(folder, 'large');
    await pipeline(Readable.from(content), createWriteStream(file));
    await judge(name, file, () => `has ${largeLines} lines or is as large`);
  }
  await rm(base, { recursive: true });
  return { files: tally.accepted + tally.refused, ...tally };
}

/** Makes a store with names and entries, and gives its backup. */
async function makeStore(path: string, folder: string): Promise<string> {
  const lines = ['{"kind":"tallybook","version":1}'];
  for (let n = 0; n < HELD / 2; n++) {
    const id = `${HELD_ID}${String(n).padStart(4, '0')}`;
    lines.push(`{"kind":"name","id":"${id}","first":"Zaphod ${n}","last":"${SECRET}"}`);
    lines.push(
      `{"kind":"entry","day":${n},"id":"${id}","first":${n * 86_400},"last":${n * 86_400 + 60},"count":2}`,
    );
  }
  const file = join(folder, 'sound');
  await writeFile(file, lines.join('\n'));
  const { code, errors } = await run(['import', '--store', `level:${path}`, file]);
  if (code !== 0) throw new Error(`a sound backup is not imported: ${errors}`);
  return (await run(['export', '--store', `level:${path}`])).output;
}

/** Large backups. */
function largeFiles(lines: number): Readonly<Record<string, Iterable<string>>> {
  const head = '{"kind":"tallybook","version":1}\n';
  function* entries(last: string): Generator<string, void, undefined> {
    yield head;
    for (let n = 0; n < lines; n++) {
      const id = (n % 5_000).toString(16).toUpperCase().padStart(10, '0');
      yield `{"kind":"entry","day":${Math.floor(n / 5_000)},"id":"AB${id}","first":${n},"last":${n + 1},"count":2}\n`;
    }
    yield last;
  }
  function* repeated(text: string): Generator<string, void, undefined> {
    yield head;
    for (let n = 0; n < lines; n += 1_000) yield text.repeat(1_000);
  }
  return {
    'sound and large': entries(''),
    'large with a bad end': entries('{"kind":"entry"}\n'),
    'one endless line': repeated('x'.repeat(64)),
    'endless line of NUL': repeated('\0'.repeat(64)),
    'empty lines': repeated('\n'.repeat(64)),
  };
}

async function run(args: readonly string[]): Promise<Run> {
  const child = spawnTallybook(args, HEAP_OPTIONS);
  let [output, errors, peakRss] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const watch = setInterval(() => (peakRss = Math.max(peakRss, peakRssOf(child.pid))), 25);
  const deadline = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  clearTimeout(deadline);
  return { code, output, errors, peakRss };
}

export function findImportProblem({ code, errors }: Run): string | undefined {
  const said = JSON.stringify(errors.slice(0, 500));
  if (code === 0) return errors === '' ? undefined : `it was accepted and said ${said}`;
  if (code !== 1 && code !== 2) return `the exit code is ${code ?? 'none'}; it said ${said}`;
  if (!/^tallybook: [^\n]+\n$/.test(errors)) return `it was refused without one clear line: ${said}`;
  return errors.includes(SECRET) ? `the message quotes a name: ${said}` : undefined;
}

/** A file is refused before the store is opened, so nothing in the store may change. */
async function findChange(store: string, before: string): Promise<string | undefined> {
  return (await fingerprint(store)) === before ? undefined : 'it was refused, and the store changed';
}

/** The damage after an accepted import: the store must be readable, and have its former data. */
async function findDamage(store: string): Promise<string | undefined> {
  const { code, output, errors } = await run(['export', '--store', `level:${store}`]);
  if (code !== 0) return `it was accepted, and the store cannot be read: ${errors}`;
  const found = output.split(`"id":"${HELD_ID}`).length - 1;
  return found < HELD
    ? `it was accepted, and of ${HELD} names and entries before it ${found} are left`
    : undefined;
}

async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort())
    hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
