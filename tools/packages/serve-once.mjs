import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PATIENCE_MS = 60_000;
const TAG = '04A2B3C4D5';

/**
 * Makes an installed program record a tap, take a name, answer requests and stop. Rejects if one of these fails.
 *
 * @param program The command `tallybook`.
 * @param folder Folder for a new store.
 * @param paths Further paths that must be answered with 200.
 */
export async function serveOnce(program, folder, paths = []) {
  const args = ['serve', '--port', '0', '--reader', 'stdin:', '--store', `level:${folder}`];
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], signal, killSignal: 'SIGKILL' });
  const ended = once(child, 'close');
  try {
    await use(child, paths);
  } finally {
    child.kill('SIGTERM');
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`tallybook serve ended with ${code}`);
}

/** Taps a tag as soon as the program serves, and sends the requests as soon as the tap is recorded. */
async function use(child, paths) {
  let url;
  for await (const line of createInterface({ input: child.stdout })) {
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (found !== undefined) {
      url = found;
      child.stdin.write(`${TAG}\n`);
    } else if (/scan recorded|scan kept/.test(line)) {
      return ask(url, paths);
    }
  }
  throw new Error('tallybook serve ended by itself');
}

async function ask(url, paths) {
  const body = JSON.stringify({ id: TAG, name: { first: 'Ada', last: 'Lovelace' } });
  const named = await fetch(`${url}/api/mapping`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (named.status !== 201) throw new Error(`a name is answered with ${named.status} ${await named.text()}`);
  for (const path of ['/api/mapping', '/api/openapi.json', ...paths]) {
    const { status } = await fetch(url + path);
    if (status !== 200) throw new Error(`${path} is answered with ${status}`);
  }
}
