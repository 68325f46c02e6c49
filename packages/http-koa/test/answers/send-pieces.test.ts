import { expect } from 'chai';
import { sendPieces } from '../../src/answers/send-pieces.js';
import { LocalServer } from '../fixtures/local-server.js';

describe('sendPieces', () => {
  it('lets other work run after 256 KiB at most, even if the system takes more at once', async () => {
    const taken: number[] = [];
    await using server = new LocalServer((_, response) => {
      let ofTurn = 0;
      // Counts at the start of each turn.
      const count = (): void => {
        taken.push(ofTurn);
        ofTurn = 0;
        if (!response.writableEnded) setImmediate(count);
      };
      setImmediate(count);
      function* pieces(): Generator<Buffer> {
        for (let n = 0; n < 64; n++) {
          ofTurn += 65_536;
          yield Buffer.alloc(65_536);
        }
      }
      void sendPieces({ req: response.req, res: response, state: {} }, pieces());
    });
    await server.listen();
    const response = await fetch(server.url);
    expect((await response.arrayBuffer()).byteLength).to.equal(64 * 65_536);
    expect(Math.max(...taken)).to.be.at.most(262_144);
  });

  it('leaves no listener behind after it has waited for a slow client', async () => {
    const counts: string[] = [];
    await using server = new LocalServer((request, response) => {
      function* pieces(): Generator<Buffer> {
        for (let n = 0; n < 32; n++) {
          const { socket } = request;
          counts.push(
            [
              response.listenerCount('drain'),
              ...[request, socket].map((each) => each.listenerCount('close')),
            ].join(),
          );
          yield Buffer.alloc(1_048_576);
        }
      }
      void sendPieces({ req: response.req, res: response, state: {} }, pieces());
    });
    await server.listen();
    const response = await fetch(server.url);
    expect((await response.arrayBuffer()).byteLength).to.equal(32 * 1_048_576);
    // From the second piece on, the response has its own listeners too.
    expect(new Set(counts.slice(1))).to.have.property('size', 1);
  });

  for (const [what, reset] of [
    ['with a reset', undefined],
    // As a socket of TLS does.
    [
      'also if it cannot be reset',
      () => {
        throw new TypeError('only plain TCP can be reset');
      },
    ],
  ] as const) {
    it(`breaks the connection off if the pieces come to an error, ${what}`, async () => {
      const failures: unknown[] = [];
      await using server = new LocalServer((request, response) => {
        if (reset !== undefined) request.socket.resetAndDestroy = reset;
        function* pieces(): Generator<string> {
          yield 'a part';
          throw new Error('the store is closed');
        }
        sendPieces({ req: response.req, res: response, state: {} }, pieces()).catch((error: unknown) =>
          failures.push(error),
        );
      });
      await server.listen();
      const client = server.connect().resume();
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await new Promise((resolve) => client.once('close', resolve));
      expect(failures.map(String)).to.deep.equal(['Error: the store is closed']);
    });
  }
});
