import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { refuse } from '../../src/http/http-refusal.js';
import { connectTo, listen } from '../fixtures/http/listening.js';
import { MeasuredServer } from '../fixtures/measured-server.js';

const sound = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const BROKEN = 'HELO\r\n\r\n';

/** Resolves when this many bytes of a connection were read and handled by Node. */
async function read({ socket }: IncomingMessage, bytes: number): Promise<void> {
  while (socket.bytesRead < bytes) await new Promise(setImmediate);
}

function partsOf(answers: string): readonly string[] {
  return answers.match(/HTTP\/1\.1 \d+|begun|ended|this is not/g) ?? [];
}

describe('bytes that are no HTTP', () => {
  it('are answered once, and the answer stays when more of them follow', async () => {
    const socket = new PassThrough();
    const error = Object.assign(new Error('no HTTP'), { code: 'HPE_INVALID_METHOD' });
    refuse(error, socket);
    refuse(error, socket);
    expect(socket.destroyed).to.equal(false);
    const answer = await text(socket);
    expect(answer.match(/^HTTP/gm)).to.have.length(1);
  });

  it('end a connection at once that takes nothing more', () => {
    const socket = new PassThrough();
    // Its other side is not done, so it would stay.
    socket.end();
    expect(socket.writable).to.equal(false);
    refuse(Object.assign(new Error('no HTTP'), { code: 'HPE_INVALID_METHOD' }), socket);
    expect(socket.destroyed).to.equal(true);
  });

  it('end the connection a second after the answer if the client keeps its side open', async () => {
    using timers = new RecordedTimers([1_000]);
    const error = Object.assign(new Error('no HTTP'), { code: 'HPE_INVALID_METHOD' });
    const [staying, leaving] = [new PassThrough(), new PassThrough()];
    for (const socket of [staying, leaving]) {
      // Neither side closes the connection by itself.
      socket.end = () => socket;
      refuse(error, socket);
    }
    leaving.destroy();
    await once(leaving, 'close');
    expect(timers.pending.filter((delay) => delay === 1_000)).to.have.length(1);
    expect(staying.destroyed).to.equal(false);
    timers.expire(1_000);
    expect(staying.destroyed).to.equal(true);
  });

  it('are refused once after the end of the current answer, and nothing after them is handled', async () => {
    const handled: unknown[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      handled.push(request.url);
      response.write('begun');
      await read(request, sound('/a').length + BROKEN.length + sound('/b').length);
      response.write('x'.repeat(300_000));
      response.end('ended');
    };
    await using listener = await listen((...of) => void answer(...of));
    const socket = connectTo(listener);
    socket.write(sound('/a'));
    const rest = text(socket);
    await once(socket, 'data');
    socket.write(BROKEN, () => socket.write(sound('/b')));
    expect(partsOf(await rest)).to.deep.equal([
      ...['HTTP/1.1 200', 'begun', 'ended'],
      ...['HTTP/1.1 400', 'this is not'],
    ]);
    expect(handled).to.deep.equal(['/a']);
  });

  it('are refused in order, after the answers of waiting requests before them', async () => {
    const handled: unknown[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      handled.push(request.url);
      response.write('begun');
      await read(request, 3 * sound('/a').length + BROKEN.length);
      response.end('ended');
    };
    await using listener = await listen((...of) => void answer(...of));
    const socket = connectTo(listener);
    socket.write(sound('/a') + sound('/b') + sound('/c') + BROKEN);
    const ok = ['HTTP/1.1 200', 'begun', 'ended'];
    expect(partsOf(await text(socket))).to.deep.equal([...ok, ...ok, ...ok, 'HTTP/1.1 400', 'this is not']);
    expect(handled).to.deep.equal(['/a', '/b', '/c']);
  });

  it('are not answered when the answer before them ends the connection', async () => {
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      response.setHeader('Connection', 'close').write('begun');
      await read(request, sound('/a').length + BROKEN.length);
      response.end('ended');
    };
    await using listener = await listen((...of) => void answer(...of));
    const socket = connectTo(listener);
    socket.write(sound('/a') + BROKEN);
    expect(partsOf(await text(socket))).to.deep.equal(['HTTP/1.1 200', 'begun', 'ended']);
  });

  it('end a begun answer to a broken request', async () => {
    const begin: RequestListener = (_, response) => void response.write('begun');
    await using listener = await listen(begin);
    const socket = connectTo(listener);
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n');
    expect(partsOf(await text(socket))).to.deep.equal(['HTTP/1.1 200', 'begun']);
  });

  describe('after an event stream', () => {
    /** Begins like the stream of the service: it ends with its connection. */
    const stream = (response: ServerResponse): void => {
      response.removeHeader('Transfer-Encoding');
      response.setHeader('Content-Type', 'text/event-stream').write('begun');
    };

    it('end it, without text in it', async () => {
      await using listener = await listen((_, response) => stream(response));
      const socket = connectTo(listener);
      socket.write(sound('/a'));
      const rest = text(socket);
      await once(socket, 'data');
      socket.write(BROKEN);
      expect(await rest).to.match(/begun$/);
    });

    it('end that of the service', async () => {
      await using server = await MeasuredServer.start();
      const socket = connectTo(server.get('server'));
      socket.write(sound('/api/idevent'));
      const rest = text(socket);
      await once(socket, 'data');
      socket.write(BROKEN);
      expect(await rest).to.match(/^HTTP\/1\.1 200 [^]*\nretry: 2000\n.*\n\n$/);
    });

    it('end it after its beginning is sent, if they came with its request', async () => {
      await using listener = await listen((_, response) => stream(response));
      const socket = connectTo(listener);
      // An unannounced body, as `node:http` sends it with GET.
      socket.write(`${sound('/a')}{"id":1}`);
      expect(await text(socket)).to.match(/^HTTP\/1\.1 200 [^]*begun$/);
    });

    it('end it with their next ones, if it began after the first ones', async () => {
      const later = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        await read(request, sound('/a').length + BROKEN.length);
        stream(response);
      };
      await using listener = await listen((...of) => void later(...of));
      const socket = connectTo(listener);
      socket.write(sound('/a') + BROKEN);
      const rest = text(socket);
      await once(socket, 'data');
      socket.write(BROKEN);
      expect(await rest).to.match(/begun$/);
    });

    it('end it even if requests wait behind it, and none of these is handled', async () => {
      const handled: unknown[] = [];
      await using listener = await listen(({ url }, response) => {
        handled.push(url);
        stream(response);
      });
      const socket = connectTo(listener);
      socket.write(sound('/a') + sound('/b') + BROKEN);
      expect(partsOf(await text(socket))).to.deep.equal(['HTTP/1.1 200', 'begun']);
      expect(handled).to.deep.equal(['/a']);
    });
  });
});
