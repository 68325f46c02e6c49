import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseTallyId, type MappingSnapshot } from '@tallybook/domain';
import { owner } from '@tallybook/domain/access';
import { operations, type Operation } from '@tallybook/http-contract';
import { expect } from 'chai';
import { createToken } from '../fixtures/claimed-service.js';
import { RunningService } from '../fixtures/running-service.js';
import { stateOf, validBodies, type ValidBody } from '../fixtures/valid-bodies.js';
import { ways, type Holding } from '../fixtures/ways-to-lose.js';

interface Pending {
  readonly path: string;
  readonly sent: ClientRequest;
  readonly body: string;
}

/** Sends the head of a request, and resolves when the service has admitted it and waits for the body. */
async function hold(
  { service, headers }: Holding,
  path: string,
  { role = 'admin', method = 'POST', type = 'application/json', body }: ValidBody,
): Promise<Pending | undefined> {
  const credentials = headers[role] ?? (role === 'station' ? undefined : headers.admin);
  if (credentials === undefined) return undefined;
  const sent = request({
    ...{ host: '127.0.0.1', port: service.port, method, path, agent: false },
    headers: { ...credentials, 'Content-Type': type, Expect: '100-continue', 'Transfer-Encoding': 'chunked' },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  return { path, sent, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

async function finish({ path, sent, body }: Pending): Promise<readonly [path: string, status: number]> {
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  await text(answer);
  return [path, answer.statusCode ?? 0];
}

async function holdAll(holding: Holding): Promise<readonly Pending[]> {
  const pending = [];
  for (const [path, held] of Object.entries(validBodies)) pending.push(await hold(holding, path, held));
  return pending.filter((each) => each !== undefined);
}

describe('a request whose body is held open', () => {
  it('is tried on every route with a body that needs a right', () => {
    const paths = Object.entries<Operation>(operations)
      .filter(([, { action, body }]) => body !== undefined && action !== 'public')
      .map(([address]) => address.replace(/^\w+ /, '').replace('{name}', 'gate'));
    expect(paths).to.have.members(Object.keys(validBodies));
  });

  it('is allowed if its sender has lost nothing meanwhile', async () => {
    for (const arrange of [ways['the deletion of the token'], ways['the removal of the user']]) {
      await using holding = await arrange();
      for (const each of await holdAll(holding)) {
        const [path, status] = await finish(each);
        expect(status, path).to.satisfy((code: number) => code !== 401 && code < 500);
      }
    }
  });

  it('changes nothing if the right is lost while its tags are looked up, or its list is read', async () => {
    const asked: string[] = [];
    const begin = async (path: string): Promise<Holding> => {
      const holding = await ways['the removal of the user']();
      const { service, lose } = holding;
      await service.mapping.put(parseTallyId('04A2B3C4D5'), { first: 'Ada', last: '' });
      const find = service.tags.find.bind(service.tags);
      service.tags.find = async (...given) => {
        if (!asked.includes(path)) await lose();
        asked.push(path);
        return find(...given);
      };
      // Asked when the list was read.
      const known = service.tags.known.bind(service.tags);
      service.tags.known = async (ids) => {
        if (!asked.includes(path)) await lose();
        asked.push(path);
        return known(ids);
      };
      return holding;
    };
    for (const [path, held] of Object.entries(validBodies)) {
      await using holding = await begin(path);
      const pending = await hold(holding, path, held);
      const status = pending && (await finish(pending))[1];
      if (asked.includes(path)) expect(status, path).to.equal(401);
    }
    await using holding = await begin('DELETE');
    const { service, headers } = holding;
    const removal = { method: 'DELETE', headers: headers.admin ?? {} };
    expect((await service.request('/api/mapping?id=04A2B3C4D5', removal)).status).to.equal(401);
    expect((await service.mapping.read()).size).to.equal(1);
    expect(asked).to.deep.equal([
      '/api/mapping',
      '/api/people',
      '/api/tag',
      '/api/corrections',
      '/api/erasures',
      'DELETE',
    ]);
  });

  for (const [way, arrange] of Object.entries(ways)) {
    it(`changes nothing after ${way}`, async () => {
      await using holding = await arrange();
      const { service, lose } = holding;
      const pending = await holdAll(holding);
      await lose();
      const before = await stateOf(service);
      for (const each of pending) {
        const [path, status] = await finish(each);
        expect(status, path).to.be.oneOf([401, 403]);
      }
      expect(await stateOf(service)).to.deep.equal(before);
      expect(service.reports).to.deep.equal([]);
    });
  }
});

/** Answers that read all names, so that a test can hold them. A client may have one file at a time. */
const answers = [
  ['/api/mapping', '/api/mappings', '/api/table?from=0&to=86400', '/api/export'],
  ['/api/xlsx?from=0&to=86400'],
] as const;

const ask = (
  service: RunningService,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<IncomingMessage> => service.begin(path, { headers });

/** Names for 25 MB, which no connection takes at once. */
function manyNames(service: RunningService): void {
  const name = { first: 'Ada', last: 'Lovelace' };
  service.mapping.snapshot = () =>
    Promise.resolve({
      page: (after) => {
        const start = after === undefined ? 0 : Number(after.slice(2)) + 1;
        const ids = Array.from({ length: 500 }, (_, n) => `04${String(start + n).padStart(8, '0')}`);
        return Promise.resolve(start >= 500_000 ? [] : ids.map((id) => [parseTallyId(id), name] as const));
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
}

/** Reads an answer to its end, and says how it ended. */
async function endOf(answer: IncomingMessage): Promise<'broken off' | 'whole'> {
  const read = text(answer);
  return read.then(
    () => 'whole' as const,
    () => 'broken off' as const,
  );
}

/** Holds answers while they read, or wait for their turn to read, until their sender has lost the right. */
async function expectLost(arrange: () => Promise<Holding>, paths: readonly string[]): Promise<void> {
  await using holding = await arrange();
  const { service, headers, lose } = holding;
  const snapshot = service.mapping.snapshot.bind(service.mapping);
  let asked = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  service.mapping.snapshot = async (): Promise<MappingSnapshot> => {
    asked++;
    await released;
    return snapshot();
  };
  const answering = [];
  for (const path of paths) {
    answering.push(ask(service, path, headers.admin));
    // A later request is answered, so this one was admitted.
    (await ask(service, '/api/health/live')).resume();
  }
  while (asked === 0) await new Promise(setImmediate);
  await lose();
  release();
  for (const [n, answer] of (await Promise.all(answering)).entries()) {
    expect(answer.statusCode, paths[n]).to.be.oneOf([401, 403]);
    answer.resume();
  }
  expect(service.reports).to.deep.equal([]);
}

describe('an answer', () => {
  for (const [way, arrange] of Object.entries(ways)) {
    it(`is not given after ${way} before its beginning`, async () => {
      for (const paths of answers) await expectLost(arrange, paths);
    });
  }

  it('of all names, or of all data, breaks off when its token is deleted', async () => {
    for (const path of ['/api/mapping', '/api/export']) {
      await using service = await RunningService.start({ access: {}, maxCachedBytes: 10_000 });
      manyNames(service);
      const { id, token } = await createToken(service, 'admin');
      const answer = await ask(service, path, { authorization: `Bearer ${token}` });
      await service.access.credentials.revoke(owner, id);
      expect([path, answer.statusCode, await endOf(answer)]).to.deep.equal([path, 200, 'broken off']);
    }
  });

  it('of a snapshot for stations breaks off when their token ends by its time', async () => {
    await using service = await RunningService.start({ access: {} });
    const choice = { label: 'gate', role: 'station', days: 1 };
    const { token } = await service.access.credentials.createToken(owner, choice);
    service.centre.parts = Array.from({ length: 200_000 }, () => ({ kind: 'end', items: 0 }) as const);
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' };
    const answer = await ask(service, '/api/sync/snapshot', headers);
    service.clock.advance(86_400_000);
    expect(await endOf(answer)).to.equal('broken off');
    expect(service.centre.reading).to.equal(0);
  });

  it('that waits for changes is 401 at once when its token is deleted', async () => {
    await using service = await RunningService.start({ access: {} });
    service.centre.isQuiet = true;
    const { id, token } = await createToken(service, 'station');
    const headers = { authorization: `Bearer ${token}` };
    const answering = ask(service, '/api/sync/changes?origin=centre&after=7&wait=20', headers);
    while (service.centre.waiting === 0) await new Promise(setImmediate);
    await service.access.credentials.revoke(owner, id);
    const answer = await answering;
    expect([answer.statusCode, await endOf(answer)]).to.deep.equal([401, 'whole']);
  });

  it('of the state of the service is 401 if the session ends while it is read', async () => {
    await using holding = await ways['signing out']();
    const { service, headers, lose } = holding;
    service.health.read = async () => {
      await lose();
      return { status: 'ok', isReady: true, parts: [] };
    };
    expect((await ask(service, '/api/health')).statusCode).to.equal(200);
    const page = service.audit.page.bind(service.audit);
    service.audit.page = async (...given) => {
      await lose();
      return page(...given);
    };
    const answer = await ask(service, '/api/audit', headers.admin);
    expect([answer.statusCode, await text(answer)]).to.deep.equal([
      401,
      'sign in, or send a token: Authorization: Bearer tb_…',
    ]);
  });

  it('is written in one place for each kind: no route writes one by itself, but the stream that is watched', () => {
    const routes = fileURLToPath(new URL('../../src/routes', import.meta.url));
    const writing = readdirSync(routes, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => /\bctx\.(?:res|respond)\b/.test(readFileSync(join(routes, name), 'utf8')));
    expect(writing).to.deep.equal(['routes-events.ts']);
  });

  it('to a request with a body is given only after its body was read in one place', () => {
    const sources = fileURLToPath(new URL('../../src', import.meta.url));
    const reading = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) =>
        /import\('koa-body'\)|\breq\.(?:on|pipe|read)\(/.test(readFileSync(join(sources, name), 'utf8')),
      );
    expect(reading).to.deep.equal(['requests/read-body.ts']);
  });
});
