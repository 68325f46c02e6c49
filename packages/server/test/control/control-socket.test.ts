import { once } from 'node:events';
import { request, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { link, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Deferred } from '../../../domain/test/fixtures/deferred.js';
import { ControlSocket } from '../../src/control/control-socket.js';
import { OwnerClient } from '../../src/control/owner-client.js';
import { failureOf } from '../fixtures/failure-of.js';
import { leaveOut } from '../fixtures/leave-out.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';

const hello: RequestListener = (request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ asked: request.url }));
};

describe('the control socket', () => {
  const folder = temporaryFolder();
  const faults: unknown[] = [];
  beforeEach(() => void faults.splice(0));

  testLifecycle('ControlSocket', () => new ControlSocket(hello, folder.path()));

  async function open(path = folder.path(), handle = hello): Promise<ControlSocket> {
    const socket = new ControlSocket(handle, path, { onFault: (error) => faults.push(error) });
    await socket.open();
    return socket;
  }

  it('answers in the folder of the store, and leaves nothing there', async () => {
    const client = new OwnerClient(folder.path());
    expect(await client.isAnswered()).to.equal(false);
    const socket = await open();
    expect(await client.isAnswered()).to.equal(true);
    expect(await client.get('/api/users')).to.deep.equal({ asked: '/api/users' });
    await socket.close();
    expect(await client.isAnswered()).to.equal(false);
    expect(await readdir(folder.path())).to.deep.equal([]);
  });

  it('may be used by its owner only, with every umask, and does not change the umask', async () => {
    const before = process.umask(0);
    try {
      await using _ = await open();
      expect((await stat(folder.path('control.sock'))).mode & 0o777).to.equal(0o600);
      expect(process.umask(0)).to.equal(0);
    } finally {
      process.umask(before);
    }
  });

  it('replaces the socket of a killed process', async () => {
    const former = createServer().listen(folder.path('first'));
    await once(former, 'listening');
    await link(folder.path('first'), folder.path('control.sock'));
    await new Promise((resolve) => former.close(resolve));
    const client = new OwnerClient(folder.path());
    expect(await client.isAnswered()).to.equal(false);
    await using _ = await open();
    expect(await client.isAnswered()).to.equal(true);
    expect(faults).to.deep.equal([]);
  });

  it('keeps a file that is no socket, and reports it', async () => {
    await writeFile(folder.path('control.sock'), 'precious');
    await using socket = await open();
    expect(faults)
      .to.have.nested.property('[0].message')
      .that.matches(/control\.sock is not a socket/);
    await socket.close();
    expect(await readFile(folder.path('control.sock'), 'utf8')).to.equal('precious');
  });

  it('reports why there is no socket, and lets the service continue', async () => {
    await using _ = await open(folder.path('missing'));
    expect(faults).to.have.length(1);
    expect(await new OwnerClient(folder.path('missing')).isAnswered()).to.equal(false);
    // A socket without a listener for faults.
    await using untold = new ControlSocket(hello, folder.path('missing'));
    await untold.open();
    expect(untold.status).to.equal('open');
  });

  it('can be reached in a folder whose path is longer than the address of a socket', async () => {
    const long = folder.path('a'.repeat(100), 'b'.repeat(100));
    await mkdir(long, { recursive: true });
    const socket = await open(long);
    expect(faults).to.deep.equal([]);
    // Node cuts off a path that is too long, and the socket would be in another folder.
    expect(await readdir(long)).to.deep.equal(['control.sock']);
    expect(await new OwnerClient(long).get('/x')).to.deep.equal({ asked: '/x' });
    await socket.close();
    expect(await readdir(long)).to.deep.equal([]);
  });

  it('closes the folder of a long path when it closes', async function () {
    leaveOut(this, process.platform === 'linux' ? undefined : 'only Linux shows the open files of a process');
    const long = folder.path('a'.repeat(100), 'b'.repeat(100));
    await mkdir(long, { recursive: true });
    const opened = async (): Promise<number> => {
      const files = await readdir('/proc/self/fd');
      const paths = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')));
      return paths.filter((path) => path === long).length;
    };
    const socket = await open(long);
    expect(await opened()).to.equal(1);
    await socket.close();
    expect(await opened()).to.equal(0);
  });

  it('answers a request in flight before it closes', async () => {
    let answer: (() => void) | undefined;
    const socket = await open(folder.path(), (_, response) => (answer = () => response.end('late')));
    const sent = request({ socketPath: folder.path('control.sock') }).end();
    const response = once(sent, 'response') as Promise<[IncomingMessage]>;
    while (answer === undefined) await new Promise(setImmediate);
    const closed = socket.close();
    answer();
    expect(await text((await response)[0])).to.equal('late');
    await closed;
  });

  it('cuts a request that takes too long when it closes', async () => {
    const heard = new Deferred<void>();
    const socket = new ControlSocket(() => heard.resolve(), folder.path(), { drainMs: 1 });
    await socket.open();
    const asked = new OwnerClient(folder.path()).get('/x').catch((error: unknown) => error);
    await heard.promise;
    await socket.close();
    expect(await asked).to.have.property('code', 'ECONNRESET');
  });

  it('gives requests two seconds by default when it closes, and leaves no timer', async () => {
    const heard = new Deferred<void>();
    const socket = await open(folder.path(), () => heard.resolve());
    const asked = new OwnerClient(folder.path()).get('/x').catch((error: unknown) => error);
    await heard.promise;
    using timers = new RecordedTimers();
    const closed = socket.close();
    while (!timers.pending.includes(2_000)) await new Promise(setImmediate);
    timers.expire(2_000);
    await closed;
    expect(await asked).to.have.property('code', 'ECONNRESET');
    await socket.open();
    await socket.close();
    expect(timers.pending).not.to.include(2_000);
  });

  it('accepts twenty connections at a time, and cuts one more', async () => {
    await using _ = await open();
    const clients: Socket[] = [];
    for (let n = 0; n < 20; n++) {
      const client = connect(folder.path('control.sock')).on('error', () => undefined);
      await once(client, 'connect');
      clients.push(client);
    }
    const oneMore = connect(folder.path('control.sock')).on('error', () => undefined);
    await once(oneMore, 'close');
    expect(clients.map(({ destroyed }) => destroyed)).to.not.include(true);
    for (const client of clients) client.destroy();
  });

  describe('whose client', () => {
    const answering = (status: number, body: string): Promise<ControlSocket> =>
      open(folder.path(), (_, response) => response.writeHead(status).end(body));

    it('rejects with code and message of a problem', async () => {
      const problem = { title: 'Conflict', detail: 'this is the last admin', code: 'LAST_ADMIN' };
      await using _ = await answering(409, JSON.stringify(problem));
      const deleted = new OwnerClient(folder.path()).delete('/api/users?name=ada');
      expect(await failureOf(deleted, 'LAST_ADMIN')).to.equal('this is the last admin');
    });

    for (const body of ['not JSON', '{}', '[]', '{"code":"NO_SUCH_CODE"}']) {
      it(`rejects with the status for a problem of another kind: ${body}`, async () => {
        await using _ = await answering(500, body);
        const client = new OwnerClient(folder.path());
        const error: unknown = await client.get('/x').catch((cause: unknown) => cause);
        expect(error).to.have.property('message', 'the service answered 500');
      });
    }

    it('requests JSON as this machine, and sends JSON or given data', async () => {
      await using _ = await open(folder.path(), (request, response) => {
        const { method, url, headers } = request;
        const { host, accept, 'content-type': type } = headers;
        void text(request).then((body) =>
          response.end(JSON.stringify({ asked: [method, url, host, accept, type, body] })),
        );
      });
      const client = new OwnerClient(folder.path());
      const from = ['localhost', 'application/json'];
      expect(await client.get('/a')).to.deep.equal({ asked: ['GET', '/a', ...from, null, ''] });
      expect(await client.post('/b', { c: 1 })).to.deep.equal({
        asked: ['POST', '/b', ...from, 'application/json', '{"c":1}'],
      });
      expect(await client.send('/d', { type: 'text/csv', bytes: 'e;f' })).to.deep.equal({
        asked: ['POST', '/d', ...from, 'text/csv', 'e;f'],
      });
    });

    it('gives nothing for an empty answer', async () => {
      await using _ = await answering(201, '');
      expect(await new OwnerClient(folder.path()).post('/x', {})).to.equal(undefined);
    });

    it('rejects when an answer is cut off', async () => {
      await using _ = await open(folder.path(), (_, response) => {
        response.write('half of it', () => response.destroy());
      });
      const error: unknown = await text(new OwnerClient(folder.path()).read('/x')).catch(
        (cause: unknown) => cause,
      );
      expect(error).to.have.property('code', 'ECONNRESET');
    });
  });
});
