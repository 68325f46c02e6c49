import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { publishersOf, WebhookService, type Payload } from '../fixtures/processes/webhook-service.js';

const KILLS = 5;

describe('tallybook serve, with a webhook', () => {
  const service = new WebhookService();

  it('posts every tap with one id, after many kills while the receiver fails', async function () {
    this.timeout(120_000);
    service.receiver.behaviour = (request) => request.socket.destroy();
    const taps: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const server = service.start();
      const url = await server.url();
      const ids = Array.from({ length: 20 }, (_, n) => `AB12${String(kill * 100 + n).padStart(4, '0')}`);
      server.tap(...ids);
      taps.push(...ids);
      while (((await publishersOf(url))[0]?.waiting ?? 0) < taps.length) await pause(10);
      server.child.kill('SIGKILL');
      await once(server.child, 'exit');
    }
    service.receiver.behaviour = undefined;
    const server = service.start();
    await server.url();
    await service.receiver.tookTag(taps.at(-1) ?? '');
    const posted = service.receiver.requests.values.map(({ id, body }) => ({
      id,
      tag: (JSON.parse(body) as Payload).data.id,
    }));
    const taken = service.receiver.taken.map(({ body }) => (JSON.parse(body) as Payload).data.id);
    expect([...new Set(taken)]).to.deep.equal(taps);
    for (const tag of taps) {
      expect(new Set(posted.filter((each) => each.tag === tag).map(({ id }) => id)), tag).to.have.property(
        'size',
        1,
      );
    }
  });
});
