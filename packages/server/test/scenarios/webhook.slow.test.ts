import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Receiver } from '../../../publisher-webhook/test/fixtures/receiver.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const SECRET = `whsec_${Buffer.alloc(32, 'server').toString('base64')}`;

const KILLS = 5;

interface Payload {
  readonly data: { readonly id: string };
}

describe('tallybook serve, with a webhook', () => {
  const processes = runningProcesses();
  const folder = temporaryFolder();
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await Receiver.create();
    await writeFile(folder.path('secret'), `${SECRET}\n`, { mode: 0o600 });
  });

  afterEach(async () => {
    await receiver.dispose();
  });

  function serve(): TallybookProcess {
    const publisher = `${receiver.url}?secret-file=${folder.path('secret')}&name=office`;
    const store = `level:${folder.path('store')}`;
    const args = ['serve', '--port', '0', '--store', store, '--repeat-window', '0', '--publish', publisher];
    return processes.start(...args);
  }

  async function publishersOf(url: string): Promise<readonly { readonly waiting: number }[]> {
    const answer = await fetch(`${url}/api/status`);
    const { publishers } = (await answer.json()) as {
      readonly publishers: readonly { readonly waiting: number }[];
    };
    return publishers;
  }

  it('posts every tap under one id, when it is killed again and again while the receiver fails', async function () {
    this.timeout(120_000);
    receiver.behaviour = (request) => request.socket.destroy();
    const taps: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const server = serve();
      const url = await server.url();
      const ids = Array.from({ length: 20 }, (_, n) => `AB12${String(kill * 100 + n).padStart(4, '0')}`);
      server.tap(...ids);
      taps.push(...ids);
      while (((await publishersOf(url))[0]?.waiting ?? 0) < taps.length) await pause(10);
      server.child.kill('SIGKILL');
      await once(server.child, 'exit');
    }
    receiver.behaviour = undefined;
    const server = serve();
    await server.url();
    await receiver.tookTag(taps.at(-1) ?? '');
    const posted = receiver.requests.values.map(({ id, body }) => ({
      id,
      tag: (JSON.parse(body) as Payload).data.id,
    }));
    const taken = receiver.taken.map(({ body }) => (JSON.parse(body) as Payload).data.id);
    expect([...new Set(taken)]).to.deep.equal(taps);
    for (const tag of taps) {
      expect(new Set(posted.filter((each) => each.tag === tag).map(({ id }) => id)), tag).to.have.property(
        'size',
        1,
      );
    }
  });
});
