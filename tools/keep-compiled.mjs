// Runs the program so that it keeps the code that V8 compiles for a start. That saves a fifth of the work of a start.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const DAYS = 20;
const TAGS = 50;

/**
 * The environment is empty: npm puts options into the environment of this process, and the program would refuse them.
 */
const quiet = { stdio: ['ignore', 'pipe', 'inherit'], env: {} };

/**
 * @param command Runs the program, and keeps the compiled code if it succeeds.
 * @param program Runs the program without keeping anything.
 */
export async function keepCompiled(command, program) {
  execFileSync(process.execPath, [command, '--version'], quiet);
  const folder = await mkdtemp(join(tmpdir(), 'tallybook-compiled-'));
  const store = `level:${join(folder, 'store')}`;
  try {
    // Imported twice, so that LevelDB has a table and a log: a start reads both.
    for (const firstDay of [0, DAYS]) {
      const file = join(folder, `from-${firstDay}.jsonl`);
      await writeFile(file, recordFrom(firstDay));
      execFileSync(process.execPath, [program, 'import', file, '--store', store], quiet);
    }
    await serveOnce([command, 'serve', '--port', '0', '--store', store]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A record in the form of `tallybook export`. */
function recordFrom(firstDay) {
  const tags = Array.from(
    { length: TAGS },
    (_, n) => `04A1B2${(firstDay * TAGS + n).toString(16).toUpperCase().padStart(8, '0')}`,
  );
  const names = tags.map((id) => ({ kind: 'name', id, first: 'Ada', last: 'Lovelace' }));
  const entries = Array.from({ length: DAYS }, (_, n) => firstDay + n).flatMap((day) =>
    tags.map((id) => ({ kind: 'entry', day, id, first: day * 86_400, last: day * 86_400 + 60, count: 2 })),
  );
  const lines = [{ kind: 'tallybook', version: 2 }, ...names, ...entries];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Starts the service, sends a request, and stops it. */
async function serveOnce(args) {
  const server = spawn(process.execPath, args, quiet);
  const ended = once(server, 'exit');
  for await (const line of createInterface({ input: server.stdout })) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url === undefined) continue;
    await new Promise((resolve, reject) => {
      const answered = (response) => response.resume().once('end', resolve);
      get(`${url}/api/mapping`, { agent: false }, answered).once('error', reject);
    });
    server.kill();
    break;
  }
  const [code, signal] = await ended;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${signal ?? `code ${code}`}`);
}
