import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { isComplaint } from '../fuzz/fuzzed-server.js';
import { converse } from '../fuzz/http/conversation.js';
import { parseAnswers } from '../fuzz/http/http-answers.js';
import { replayHttpCase, runHttpPhase, type HttpPhase } from '../fuzz/http/http-phase.js';
import { escapeBytes, type Script } from '../fuzz/script.js';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

function parse(text: string): ReturnType<typeof parseAnswers> {
  return parseAnswers(Buffer.from(text, 'latin1'));
}

describe('parseAnswers', () => {
  it('takes answers on one connection apart, with a body, without, in chunks, and until the end', () => {
    const chunked = 'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n';
    const untilEnd = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nwhatever';
    expect(parse(OK + chunked + head + CONTINUE + OK + untilEnd)).to.deep.equal({
      statuses: [200, 404, 200, 100, 200, 400],
      isCut: false,
    });
    expect(parse('')).to.deep.equal({ statuses: [], isCut: false });
  });

  it('says that an answer was cut in its head, its body or a chunk', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const text of [
      'HTTP',
      'HTTP/1.1 200 OK\r\nA: b\r\n',
      OK.slice(0, -1),
      `${chunked}3\r\nab`,
      `${chunked}3`,
    ]) {
      const { isCut, problem } = parse(text);
      expect([isCut, problem], text).to.deep.equal([true, undefined]);
    }
  });

  it('says what is no HTTP', () => {
    for (const text of [
      'nonsense',
      'HTTP/1.1 99 No\r\n\r\n',
      'HTTP/1.1 200 OK\r\nno field\r\n\r\n',
      'HTTP/1.1 200 OK\r\nA: b\x01\r\n\r\n',
      `${OK}more\r\n\r\n`,
      // An interim answer between the head and the body of another one.
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${CONTINUE}ok\r\n\r\n`,
    ]) {
      expect(parse(text).problem, text).to.be.a('string');
    }
  });
});

describe('escapeBytes', () => {
  it('shows every byte so that it can be pasted, and says how many it leaves out', () => {
    expect(escapeBytes(Buffer.from('a"\r\n\0\x7f\xff', 'latin1'), 100)).to.equal(
      '"a\\"\\r\\n\\u0000\\u007f\\u00ff"',
    );
    expect(escapeBytes(Buffer.from('abc'), 2)).to.equal('"ab" and 1 bytes more');
    expect(escapeBytes(Buffer.from('abc'), Infinity)).to.equal('"abc"');
  });
});

describe('isComplaint', () => {
  it('tells errors and mistakes of the program from the rest of the log', () => {
    expect(isComplaint('{"level":30,"msg":"listening"}')).to.equal(false);
    expect(isComplaint('{"level":40,"msg":"a reader was lost"}')).to.equal(false);
    expect(isComplaint('{"level":50,"msg":"request failed"}')).to.equal(true);
    expect(isComplaint('{"level":30,"msg":"a mistake in the program; it goes on"}')).to.equal(true);
    expect(isComplaint('    at somewhere (file.js:1:1)')).to.equal(true);
  });
});

describe('converse', () => {
  it('knows that it ended its side before it heard anything, also if it was silent again after that', async () => {
    const script: Script = { pieces: [Buffer.from('GET / HTTP/1.1\r\n\r\n')], hostile: 1, end: 'wait' };
    const sockets: Socket[] = [];
    let other: Promise<unknown> | undefined;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket.resume());
      socket.once('end', () => {
        if (socket !== sockets[0]) {
          // This client has been silent as long as the first one since that heard something.
          for (const each of sockets) each.end();
          return;
        }
        socket.write(OK.slice(0, -1), () => (other = converse(port, script)));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { received, isImpatient, end } = await converse(port, script);
    await other;
    server.close();
    expect([received.toString(), isImpatient, end]).to.deep.equal([OK.slice(0, -1), true, 'closed']);
  });
});

describe('runHttpPhase', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** A server that does with each connection as it is told, once the first bytes have come. */
  async function listen(work: (socket: Socket) => void): Promise<{ port: number; ending: undefined }> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => work(socket));
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, ending: undefined };
  }

  function phase(script: Partial<Script> = {}): HttpPhase {
    const pieces = [Buffer.from('GET / HTTP/1.1\r\n\r\n')];
    return { name: 'test', requests: 3, make: () => ({ pieces, hostile: 1, end: 'wait', ...script }) };
  }

  it('counts requests and answers of a server that does well', async () => {
    const target = await listen((socket) => socket.end(CONTINUE + OK));
    const { hostile, connections, classes, failures } = await runHttpPhase(phase({ answers: 1 }), 1, target);
    expect(failures).to.be.empty;
    expect(hostile).to.equal(connections).and.to.be.at.least(3);
    expect(Object.fromEntries(classes)).to.deep.equal({ 1: connections, 2: connections });
  });

  it('counts requests with credentials, and answers to those who must be refused', async () => {
    const target = await listen((socket) => socket.end(OK + OK.replace('200 OK', '401 No') + OK));
    const { withCredentials, crossings, connections } = await runHttpPhase(
      phase({ withCredentials: 2, refusals: [1, 2] }),
      1,
      target,
    );
    expect([withCredentials, crossings]).to.deep.equal([2 * connections, connections]);
    const refusing = await runHttpPhase(phase({ refusals: [1] }), 1, target);
    expect([refusing.crossings, refusing.failures]).to.deep.equal([0, []]);
  });

  it('takes a connection that is closed or reset without an answer for a refusal', async () => {
    const closing = await listen((socket) => socket.end());
    const resetting = await listen((socket) => socket.resetAndDestroy());
    for (const target of [closing, resetting]) {
      for (const end of ['wait', 'close', 'reset', 'leave'] as const) {
        expect((await runHttpPhase(phase({ end }), 1, target)).failures).to.be.empty;
      }
    }
  });

  for (const [what, work, script] of [
    ['answers with 500', (socket: Socket) => socket.end('HTTP/1.1 500 No\r\n\r\n'), {}],
    ['answers with 503', (socket: Socket) => socket.end('HTTP/1.1 503 No\r\n\r\n'), {}],
    [
      'answers with something else than HTTP',
      (socket: Socket) => socket.end('Error: oops\n    at x\r\n\r\n'),
      {},
    ],
    ['closes in the middle of an answer', (socket: Socket) => socket.end(OK.slice(0, -1)), {}],
    ['leaves out an answer', (socket: Socket) => socket.end(OK), { answers: 2 }],
    ['gives an answer too many', (socket: Socket) => socket.end(OK + OK), { answers: 1 }],
    ['lets somebody in who must be refused', (socket: Socket) => socket.end(OK), { refusals: [0] }],
  ] as const) {
    it(`finds a server that ${what}, and says how to see it again`, async () => {
      const target = await listen(work);
      const { failures } = await runHttpPhase(phase(script), 7, target);
      expect(failures).to.not.be.empty;
      expect(failures[0]).to.match(/^test:\d+: .*fuzz --seed 7 --replay test:\d+"\n {2}sent "GET \/ /);
      const { problem, description } = await replayHttpCase(phase(script), 1, 7, target);
      expect(problem).to.be.a('string');
      expect(description).to.include('test:1: ');
    });
  }

  it('finds a server that neither answers nor closes, and one that is not there', async () => {
    const target = await listen(() => undefined);
    const { failures } = await runHttpPhase(phase({ answers: 1 }), 1, target);
    expect(failures.join()).to.include('neither answered nor closed');
    const port = await listen(() => undefined).then((gone) => {
      servers.pop()?.close();
      return gone.port;
    });
    const { failures: others } = await runHttpPhase(phase(), 1, { port, ending: undefined });
    expect(others.join()).to.include('took no connection');
  });

  it('stops when the server has ended', async () => {
    const { connections } = await runHttpPhase(phase(), 1, { port: 1, ending: 'it ended with exit code 1' });
    expect(connections).to.equal(0);
  });
});
