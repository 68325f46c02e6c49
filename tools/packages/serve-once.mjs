import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PATIENCE_MS = 60_000;

/**
 * Has an installed program record a tap, answer a request and stop.
 *
 * @param program The command `tallybook`.
 * @param folder Of a store that is made.
 * @returns The status of the answer. Rejects if the program does not do all of that.
 */
export async function serveOnce(program, folder) {
  const args = ['serve', '--port', '0', '--reader', 'stdin:', '--store', `level:${folder}`];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], signal, killSignal: 'SIGKILL' });
  const ended = once(child, 'close');
  const { status, body } = await readDay(child);
  child.kill('SIGTERM');
  const [code] = await ended;
  if (code === 0 && body.ids?.length === 1) return status;
  throw new Error(`tallybook serve ended with ${code} after it answered ${status} ${JSON.stringify(body)}`);
}

/** Taps a tag as soon as it serves, and asks for the day as soon as the tap is recorded. */
async function readDay(child) {
  let url;
  for await (const line of createInterface({ input: child.stdout })) {
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (found !== undefined) {
      url = found;
      child.stdin.write('04A2B3C4D5\n');
    } else if (/scan recorded|scan kept/.test(line)) {
      const response = await fetch(`${url}/api/day?timestamp=${Math.floor(Date.now() / 1_000)}`);
      return { status: response.status, body: await response.json() };
    }
  }
  throw new Error('tallybook serve ended by itself');
}
