import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { DeviceConnection } from '@tallybook/devices';
import type { TallybookError } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { tag } from '../../../devices/test/publishing/recorded-attendance.js';
import { makeCertificate } from '../../../testing/test/fixtures/certificate.js';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';
import type { WebhookPublisher, WebhookPublisherOptions } from '../../src/webhook/webhook-publisher.js';
import { Receiver, type Behaviour, type Received } from './fixtures/receiver.js';
import { SECRET, useSender, type Sender } from './fixtures/sender.js';

interface Payload {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describe('WebhookPublisher', () => {
  const directory = useTempDirectory();
  let sender: Sender;
  let receiver: Receiver;
  useSender(directory, (...made) => ([sender, receiver] = made));

  const tagsOf = (requests: readonly Received[]): unknown[] =>
    requests.map(({ body }) => (JSON.parse(body) as Payload).data['id']);

  /** The reasons of the faults of a publisher. */
  function reasonsOf({ faults }: { readonly faults: Recorder<TallybookError> }): unknown[] {
    return faults.values.map(({ details }) => details['reason']);
  }

  /** Opens a publisher, and records its faults and states from before the opening. */
  async function openWatched(options: Partial<WebhookPublisherOptions> = {}): Promise<{
    readonly publisher: WebhookPublisher;
    readonly faults: Recorder<TallybookError>;
    readonly connections: Recorder<DeviceConnection>;
  }> {
    const publisher = sender.createPublisher(receiver.url, options);
    const faults = new Recorder(publisher.faults);
    const connections = new Recorder(publisher.connections);
    await publisher.open();
    return { publisher, faults, connections };
  }

  testLifecycle('WebhookPublisher', () => sender.createPublisher(receiver.url));

  describe('while the endpoint accepts requests', () => {
    it('posts the outcome of a scan, with a verifiable signature, without the name', async () => {
      const { clock, journal, names } = sender.attendance;
      await names.put(tag(1), { first: 'Ada', last: '' });
      await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      const { body, headers, path } = await receiver.tookTag(tag(1));
      const payload = new Webhook(SECRET).verify(body, headers) as Payload;
      expect(payload).to.deep.equal({
        type: 'scan.recorded',
        timestamp: new Date(clock.now() * 1_000).toISOString(),
        data: {
          ...{ id: tag(1), day: payload.data['day'], at: clock.now(), outcome: 'counted' },
          ...{ reader: 'door', late: false },
        },
      });
      expect(path).to.equal('/taps');
      expect(headers).to.include({
        'content-type': 'application/json',
        'user-agent': 'tallybook',
        'webhook-id': `${await journal.origin()}-${await journal.latest()}`,
        'webhook-timestamp': String(clock.now()),
      });
    });

    it('posts the name if that is set', async () => {
      await sender.attendance.names.put(tag(1), { first: 'Zoë', last: '' });
      await sender.openPublisher(receiver.url, { withNames: true });
      await sender.attendance.tap(tag(1));
      const { body, headers } = await receiver.tookTag(tag(1));
      const { data } = new Webhook(SECRET).verify(body, headers) as Payload;
      expect(data['name']).to.deep.equal({ first: 'Zoë', last: '' });
    });

    it('posts a provisional scan, and the removal of a day', async () => {
      const { clock, service } = sender.attendance;
      await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      const [first] = await receiver.requests.count(1);
      const day = (JSON.parse(first?.body ?? '') as Payload).data['day'] as never;
      await service.removeDay(day);
      await receiver.requests.count(2);
      clock.setSynchronised(false);
      clock.set(clock.now() - 3_600);
      await sender.attendance.tap(tag(2));
      await receiver.requests.count(3);
      const payloads = receiver.requests.values.map(({ body }) => JSON.parse(body) as Payload);
      expect(payloads.map(({ type }) => type)).to.deep.equal([
        'scan.recorded',
        'day.removed',
        'scan.provisional',
      ]);
      expect(payloads[1]?.data).to.deep.equal({ day });
      expect(payloads[2]?.data).to.include({ id: tag(2), at: null, outcome: 'provisional', sequence: 1 });
    });

    it('posts one thing after another, over one connection', async () => {
      await sender.openPublisher(receiver.url);
      for (let n = 1; n <= 20; n++) void sender.attendance.tap(tag(n));
      await receiver.requests.count(20);
      expect(tagsOf(receiver.taken)).to.deep.equal(Array.from({ length: 20 }, (_, n) => tag(n + 1)));
      expect(new Set(receiver.taken.map(({ port }) => port))).to.have.property('size', 1);
    });

    it('makes another connection, without a report, when the endpoint has closed the kept one', async () => {
      const publisher = await sender.openPublisher(receiver.url);
      const faults = new Recorder(publisher.faults);
      for (let n = 1; n <= 3; n++) {
        await sender.attendance.tap(tag(n));
        await receiver.tookTag(tag(n));
        receiver.dropConnections();
      }
      expect(faults.values).to.deep.equal([]);
      expect(receiver.taken).to.have.lengthOf(3);
    });

    it('signs with each of two secrets while one replaces the other', async () => {
      const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      await writeFile(sender.secretFile, `${SECRET}\n${next}\n`);
      await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      const { body, headers } = await receiver.tookTag(tag(1));
      for (const secret of [SECRET, next]) {
        expect(new Webhook(secret).verify(body, headers)).to.have.property('type', 'scan.recorded');
      }
    });

    it('continues after an endless answer', async () => {
      await sender.openPublisher(receiver.url);
      receiver.behaviour = (_request, response) => {
        response.writeHead(200);
        const more = (): unknown => !response.destroyed && response.write('x'.repeat(65_536), more);
        more();
      };
      await sender.attendance.tap(tag(1));
      await receiver.requests.count(1);
      receiver.behaviour = undefined;
      await sender.attendance.tap(tag(2));
      await receiver.tookTag(tag(2));
      expect(receiver.requests.values).to.have.lengthOf(2);
    });
  });

  describe('while the endpoint', () => {
    const answer = (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour => {
      return (_request, response) => response.writeHead(status, headers).end('{"error":"no"}');
    };
    const cases: Readonly<Record<string, { readonly behaviour: Behaviour; readonly reason: string }>> = {
      'answers 500': { behaviour: answer(500), reason: 'answer' },
      'answers 408': { behaviour: answer(408), reason: 'answer' },
      'answers 429': { behaviour: answer(429), reason: 'answer' },
      'answers 503 with Retry-After': { behaviour: answer(503, { 'retry-after': '7' }), reason: 'answer' },
      'says nothing': { behaviour: () => undefined, reason: 'time-out' },
      'closes the connection': { behaviour: (request) => request.socket.destroy(), reason: 'lost' },
    };
    for (const [what, { behaviour, reason }] of Object.entries(cases)) {
      it(`${what}, it waits, and then posts the missed changes in order, each once, with their delay`, async () => {
        receiver.behaviour = behaviour;
        const publisher = await sender.openPublisher(receiver.url, { timeoutMs: 250 });
        const faults = new Recorder(publisher.faults);
        const connections = new Recorder(publisher.connections);
        for (let n = 1; n <= 3; n++) await sender.attendance.tap(tag(n));
        await faults.count(1);
        await sender.retry();
        await sender.delays.count(2);
        expect(publisher.connection).to.equal('waiting');
        expect(await publisher.countWaiting()).to.equal(3);
        receiver.behaviour = undefined;
        sender.attendance.clock.advance(60_000);
        await receiver.tookTag(tag(3));
        await connections.count(2);
        await publisher.close();

        const payloads = receiver.taken.map(({ body }) => JSON.parse(body) as Payload);
        expect(payloads.map(({ data }) => data['id'])).to.deep.equal([tag(1), tag(2), tag(3)]);
        expect(payloads.map(({ data }) => data['late'])).to.deep.equal([true, true, true]);
        expect(new Set(receiver.taken.map(({ id }) => id))).to.have.property('size', 3);
        // All failed attempts were for the first message, at the configured address.
        const first = receiver.taken[0]?.id;
        const failed = receiver.requests.values.filter(({ isAnswered }) => !isAnswered);
        expect(new Set(failed.map(({ id, path }) => `${id} ${path}`))).to.deep.equal(
          new Set([`${first} /taps`]),
        );
        expect(reasonsOf({ faults })).to.deep.equal([reason]);
        expect(connections.values).to.deep.equal(['waiting', 'connected']);
      });
    }

    it('gives two different answers, it reports each once', async () => {
      const statuses = [500, 409, 500, 409];
      receiver.behaviour = (_request, response) => response.writeHead(statuses.shift() ?? 500).end();
      const { faults } = await openWatched();
      await sender.attendance.tap(tag(1));
      for (let n = 0; n < 4; n++) await sender.retry();
      await sender.delays.count(5);
      const { host } = new URL(receiver.url);
      expect(faults.values.map(({ message }) => message)).to.deep.equal([
        `the webhook at ${host} answers 500 (Internal Server Error); trying again`,
        `the webhook at ${host} answers 409 (Conflict); trying again`,
      ]);
    });

    it('answers badly again after it took something, it says so again', async () => {
      const statuses = [500, 500, 204, 500, 500, 204];
      receiver.behaviour = (_request, response) => response.writeHead(statuses.shift() ?? 204).end();
      const { faults } = await openWatched();
      await sender.attendance.tap(tag(1));
      await sender.retry();
      await sender.retry();
      await receiver.requests.count(3);
      await sender.attendance.tap(tag(2));
      await sender.retry();
      await sender.retry();
      await receiver.requests.count(6);
      expect(faults.values.map(({ message }) => message.includes('answers 500'))).to.deep.equal([true, true]);
    });

    it('is missing, it reports that once, and delivers when it is there', async () => {
      const { url } = receiver;
      const publisher = await sender.openPublisher(url.replace(/:\d+/, ':1'));
      const faults = new Recorder(publisher.faults);
      await sender.attendance.tap(tag(1));
      for (let n = 0; n < 3; n++) await sender.retry();
      await publisher.close();
      expect(faults.values.map(({ message }) => message)).to.deep.equal([
        'the webhook at localhost:1 does not listen there; check the host and the port (ECONNREFUSED); trying again',
      ]);
      await publisher.open();
      await faults.count(2);
      await publisher.close();
    });
  });

  describe('before it tries again', () => {
    it('waits a second, then twice as long each time, five minutes at most, and a little less by chance', async () => {
      receiver.behaviour = (_request, response) => response.writeHead(500).end();
      await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      const delays: number[] = [];
      for (let n = 0; n < 11; n++) delays.push(await sender.retry());
      for (const [n, delayMs] of delays.entries()) {
        const fullMs = Math.min(1_000 * 2 ** n, 300_000);
        expect(delayMs).to.be.within(fullMs * 0.75, fullMs);
      }
      expect(new Set(delays.slice(9).map((delayMs) => delayMs / 300_000))).to.have.property('size', 2);
    });

    it('waits the requested time, an hour at most', async () => {
      const { clock } = sender.attendance;
      const waits = ['7', '0', '86400', new Date((clock.now() + 1_200) * 1_000).toUTCString()];
      receiver.behaviour = (_request, response) => {
        const wait = waits.shift() ?? '';
        response.writeHead(429, { 'retry-after': wait }).end();
      };
      await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      expect([await sender.retry(), await sender.retry(), await sender.retry()]).to.deep.equal([
        7_000, 1_000, 3_600_000,
      ]);
    });

    it('is not disturbed by new changes', async () => {
      receiver.behaviour = (_request, response) => response.writeHead(500).end();
      await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      await sender.delays.count(1);
      for (let n = 2; n <= 50; n++) await sender.attendance.tap(tag(n));
      await sender.retry();
      await sender.delays.count(2);
      expect(receiver.requests.values).to.have.lengthOf(2);
    });
  });

  describe('to an endpoint whose answer is about its address', () => {
    for (const status of [301, 302, 303, 307, 308, 401, 403, 404, 405, 410]) {
      it(`stops at ${status}, skips nothing, and goes on when it is to send again`, async () => {
        receiver.behaviour = (_request, response) => response.writeHead(status, { location: '/once' }).end();
        const { publisher, faults, connections } = await openWatched();
        for (let n = 1; n <= 3; n++) await sender.attendance.tap(tag(n));
        for (let n = 0; n < 3; n++) await sender.retry();
        receiver.behaviour = undefined;
        await sender.retry();
        expect(receiver.requests.values.map(({ path }) => path)).to.deep.equal(['/taps']);
        expect(faults.values).to.have.lengthOf(1);
        expect(publisher.stopped).to.equal(faults.values[0]);
        expect(publisher.stopped?.message).to.include(`answers ${status}`);
        expect([publisher.connection, publisher.setAside]).to.deep.equal(['waiting', 0]);

        publisher.sendAgain();
        await receiver.tookTag(tag(3));
        await connections.count(2);
        expect(publisher.stopped).to.equal(undefined);
        expect(tagsOf(receiver.taken)).to.deep.equal([tag(1), tag(2), tag(3)]);
      });
    }

    it('tries once at each opening, with other settings too', async () => {
      receiver.behaviour = (_request, response) => response.writeHead(302, { location: '/once' }).end();
      const publisher = await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      for (let n = 0; n < 3; n++) await sender.retry();
      await publisher.close();
      await publisher.open();
      await receiver.requests.count(2);
      await publisher.close();
      const other = await sender.openPublisher(receiver.url, { acceptsRedirects: true });
      await sender.attendance.tap(tag(2));
      await receiver.requests.count(4);
      expect(tagsOf(receiver.requests.values)).to.deep.equal([tag(1), tag(1), tag(1), tag(2)]);
      expect(other.stopped).to.equal(undefined);
    });
  });

  describe('to an endpoint that refuses a change', () => {
    /** Refuses all requests about some tags. */
    const refuse = (status: number, ...tags: readonly string[]): void => {
      receiver.behaviour = (_request, response, body) => {
        response.writeHead(tags.some((id) => body.includes(id)) ? status : 204).end();
      };
    };

    for (const status of [400, 413, 422]) {
      it(`with ${status}, sets it aside after three attempts within 30 seconds, and posts the next ones`, async () => {
        refuse(status, tag(2));
        const { publisher, faults, connections } = await openWatched();
        for (let n = 1; n <= 4; n++) await sender.attendance.tap(tag(n));
        expect((await sender.retry()) + (await sender.retry())).to.be.below(30_000);
        await receiver.requests.count(6);
        expect(connections.values).to.deep.equal([]);
        const tags = tagsOf(receiver.requests.values);
        expect(tags).to.deep.equal([tag(1), tag(2), tag(2), tag(2), tag(3), tag(4)]);
        expect([publisher.setAside, publisher.stopped]).to.deep.equal([1, undefined]);
        expect(faults.values.map(({ message }) => message.includes(`answers ${status}`))).to.deep.equal([
          true,
        ]);
      });
    }

    it('keeps it over a restart, and posts it with its first id when it is to send again', async () => {
      refuse(422, tag(1), tag(3));
      const publisher = await sender.openPublisher(receiver.url);
      for (let n = 1; n <= 4; n++) await sender.attendance.tap(tag(n));
      for (let n = 0; n < 4; n++) await sender.retry();
      await receiver.requests.count(8);
      await publisher.close();

      const next = await sender.openPublisher(receiver.url);
      expect(next.setAside).to.equal(2);
      refuse(422, tag(3));
      next.sendAgain();
      await receiver.requests.count(10);
      await sender.attendance.tap(tag(5));
      await receiver.requests.count(11);
      const requests = receiver.requests.values;
      expect(tagsOf(requests.slice(8))).to.deep.equal([tag(1), tag(3), tag(5)]);
      expect(requests[8]?.id).to.equal(requests[0]?.id);
      expect(next.setAside).to.equal(1);
    });

    it('sends it again when the endpoint is there, if it was away', async () => {
      refuse(400, tag(1));
      const publisher = await sender.openPublisher(receiver.url);
      await sender.attendance.tap(tag(1));
      for (let n = 0; n < 2; n++) await sender.retry();
      await sender.attendance.tap(tag(2));
      await receiver.requests.count(4);
      receiver.behaviour = (_request, response) => response.writeHead(503).end();
      publisher.sendAgain();
      await receiver.requests.count(5);
      await sender.attendance.tap(tag(3));
      receiver.behaviour = undefined;
      await sender.retry();
      await receiver.tookTag(tag(3));
      expect(tagsOf(receiver.requests.values.slice(4))).to.deep.equal([tag(1), tag(1), tag(3)]);
      expect(publisher.setAside).to.equal(0);
    });
  });

  it('is not delayed by another publisher with a silent endpoint, nor is recording', async () => {
    const silent = await Receiver.create();
    silent.behaviour = () => undefined;
    const stuck = await sender.openPublisher(silent.url, { name: 'silent' });
    await sender.openPublisher(receiver.url, { name: 'well' });
    for (let n = 1; n <= 10; n++) await sender.attendance.tap(tag(n));
    await receiver.tookTag(tag(10));
    expect(await stuck.countWaiting()).to.equal(10);
    await stuck.close();
    await silent.dispose();
  });

  it('closes while the endpoint is silent, and posts the same change again, with the same id, when it is open', async () => {
    receiver.behaviour = () => undefined;
    const publisher = await sender.openPublisher(receiver.url);
    const faults = new Recorder(publisher.faults);
    await sender.attendance.tap(tag(1));
    await receiver.requests.count(1);
    await publisher.close();
    expect(publisher.connection).to.equal('waiting');
    receiver.behaviour = undefined;
    await publisher.open();
    const { id } = await receiver.tookTag(tag(1));
    expect(receiver.requests.values[0]?.id).to.equal(id);
    expect(faults.values).to.deep.equal([]);
  });

  describe('with its secret in a file', () => {
    it('names a missing file, and posts when it is there', async () => {
      await rm(sender.secretFile);
      const { publisher, faults } = await openWatched();
      await sender.attendance.tap(tag(1));
      await sender.delays.count(1);
      expect(publisher.connection).to.equal('waiting');
      await writeFile(sender.secretFile, SECRET, { mode: 0o600 });
      await sender.retry();
      await receiver.tookTag(tag(1));
      expect(faults.values.map(({ message }) => message)).to.deep.equal([
        `the webhook at ${new URL(receiver.url).host} gets no requests: secret-file=${sender.secretFile} is missing; correct the path, or create the file`,
      ]);
    });

    it('reports a missing file when it opens, before any change, and opens', async () => {
      for (const options of [{ secretFile: '/nowhere/secret' }, { caFile: '/nowhere/ca.pem' }]) {
        const { publisher, faults, connections } = await openWatched(options);
        expect([publisher.status, publisher.connection]).to.deep.equal(['open', 'waiting']);
        expect(connections.values).to.deep.equal(['waiting']);
        expect(reasonsOf({ faults })).to.deep.equal(['file']);
        expect(faults.values[0]?.message).to.include('=/nowhere/');
        await publisher.close();
      }
      expect(receiver.requests.values).to.deep.equal([]);
    });

    it('reports each fault once while no request succeeds, also two of one kind', async () => {
      await rm(sender.secretFile);
      const { faults } = await openWatched();
      await sender.attendance.tap(tag(1));
      await sender.delays.count(1);
      await writeFile(sender.secretFile, 'my-password', { mode: 0o600 });
      for (let n = 0; n < 2; n++) await sender.retry();
      await sender.delays.count(3);
      const messages = faults.values.map(({ message }) => message);
      expect(messages).to.have.lengthOf(2);
      expect(messages[0]).to.include('is missing');
      expect(messages[1]).to.include('has no secret').and.not.include('my-password');
      expect(receiver.requests.values).to.deep.equal([]);
    });

    it('reports once, when it opens, that others can read the file, and posts', async () => {
      await chmod(sender.secretFile, 0o640);
      const { publisher, faults } = await openWatched();
      expect(reasonsOf({ faults })).to.deep.equal(['secret']);
      expect(publisher.connection).to.equal('connected');
      await sender.attendance.tap(tag(1));
      await receiver.tookTag(tag(1));
      receiver.behaviour = (_request, response) => response.writeHead(500).end();
      await sender.attendance.tap(tag(2));
      await faults.count(2);
      receiver.behaviour = undefined;
      await sender.retry();
      await receiver.tookTag(tag(2));
      expect(reasonsOf({ faults })).to.deep.equal(['secret', 'answer']);
      expect(faults.values[0]?.message).to.include('chmod 600');
    });
  });

  describe('over TLS', () => {
    const pair = makeCertificate();
    let secure: Receiver;
    beforeEach(async () => {
      await writeFile(join(directory.path, 'cert.pem'), pair.cert);
      secure = await Receiver.create(pair);
    });
    afterEach(async () => {
      await sender.dispose();
      await secure.dispose();
    });

    it('posts to an endpoint with an authority of its own', async () => {
      await sender.openPublisher(secure.url, { caFile: join(directory.path, 'cert.pem') });
      await sender.attendance.tap(tag(1));
      await sender.attendance.tap(tag(2));
      await secure.tookTag(tag(2));
      expect(new Set(secure.taken.map(({ port }) => port))).to.have.property('size', 1);
    });

    it('posts nothing to an endpoint that it does not trust, and reports that', async () => {
      const publisher = await sender.openPublisher(secure.url);
      const faults = new Recorder(publisher.faults);
      await sender.attendance.tap(tag(1));
      await faults.count(1);
      expect(reasonsOf({ faults })).to.deep.equal(['certificate']);
      expect(secure.requests.values).to.deep.equal([]);
    });
  });
});
