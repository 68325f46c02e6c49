import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TallybookClient } from '@tallybook/client';
import { expect } from 'chai';
import { freeUdpPort } from './free-udp-port.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

describe('the device app', () => {
  it('records the tag that a door controller sends, and says in one line why another cannot start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'device-app-'));
    const udpPort = await freeUdpPort();
    const env = {
      ...process.env,
      NODE_V8_COVERAGE: '',
      PORT: '0',
      UDP_PORT: String(udpPort),
      DATA: join(folder, 'data'),
    };
    const app = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [said] = (await once(app.stdout, 'data')) as [Buffer];
      const port = /port: (\d+)/.exec(said.toString())?.[1] ?? '';

      const client = new TallybookClient(`http://127.0.0.1:${port}`);
      const heard: string[] = [];
      for await (const message of client.events()) {
        heard.push(message.kind);
        if (message.kind === 'reset') sendTo(udpPort, '04A2B3C4D5');
        if (message.kind === 'attendance') break;
      }
      expect(heard.slice(-2)).to.deep.equal(['scan', 'attendance']);

      expect(await client.get('/api/days', { query: { from: 0, to: 4_102_444_800 } })).to.have.length(1);
      const other = { ...env, UDP_PORT: '0', DATA: join(folder, 'other') };
      expect(await refusalOf({ ...other, DATA: env.DATA })).to.match(
        /^[^\n]+ is in use by another process[^\n]+\n$/,
      );
      expect(await refusalOf({ ...other, PORT: port })).to.match(/^[^\n]+ EADDRINUSE[^\n]+\n$/);
      app.kill('SIGTERM');
      expect(await once(app, 'exit')).to.deep.equal([0, null]);
    } finally {
      app.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** What the app says when it ends at once. */
function refusalOf(env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) =>
    execFile(process.execPath, [main], { env }, (_error, _said, words) => resolve(words)),
  );
}

function sendTo(port: number, packet: string): void {
  const controller = createSocket('udp4');
  controller.send(packet, port, '127.0.0.1', () => controller.close());
}
