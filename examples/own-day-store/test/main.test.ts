import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('the server with its day store swapped', () => {
  it('writes taps into the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'own-day-store-'));
    const file = join(folder, 'days.jsonl');
    const env = {
      PATH: process.env['PATH'],
      NODE_V8_COVERAGE: '',
      TALLYBOOK_PORT: '0',
      TALLYBOOK_STORE: 'memory:',
      DAYS_FILE: file,
    };
    const app = spawn(process.execPath, [main], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      let said = '';
      app.stdin.write('04A2B3C4D5\n');
      for await (const chunk of app.stdout) {
        said += String(chunk);
        if (said.includes('scan recorded') && said.includes('listening on')) break;
      }
      expect(JSON.parse(await readFile(file, 'utf8'))).to.include({ do: 'record', id: '04A2B3C4D5' });
    } finally {
      app.kill('SIGKILL');
      await once(app, 'close');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
