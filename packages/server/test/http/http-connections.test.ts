import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { HttpConnections } from '../../src/http/http-connections.js';

interface Ends {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
}

/** A connection with given ends. */
function between<S extends Socket>(socket: S, ends: Ends): S {
  for (const [name, value] of Object.entries(ends)) Object.defineProperty(socket, name, { value });
  return socket;
}

describe('The connections of a server', () => {
  const ends: Ends = { remoteAddress: '192.0.2.7', remotePort: 50_000, localAddress: '192.0.2.1' };
  const bare = (other: Partial<Ends> = {}): Socket => between(new Socket(), { ...ends, ...other });
  const secured = (): TLSSocket => between(new TLSSocket(new Socket()), ends);

  it('replace a bare one by the secured one between the same ends, and no other', () => {
    const connections = new HttpConnections(9, 9);
    const others = [
      bare({ remotePort: 50_001 }),
      bare({ remoteAddress: '192.0.2.8' }),
      bare({ localAddress: '192.0.2.2' }),
    ];
    const below = bare();
    for (const socket of [...others, below]) connections.admit(socket);
    const above = secured();
    expect(connections.findBelow(above)).to.equal(below);
    connections.secure(above);
    expect(connections.count).to.equal(4);
    expect([below, above, ...others].map((socket) => connections.has(socket))).to.deep.equal([
      ...[false, true],
      ...[true, true, true],
    ]);
    // A secure connection has no other above it.
    expect(connections.findBelow(secured())).to.equal(undefined);
  });

  it('have the responses to the current and the latest request, and serve no refused connection', () => {
    const connections = new HttpConnections(9, 9);
    const [admitted, other] = [bare(), bare({ remotePort: 50_001 })];
    // Otherwise it would count as cut, because it is not connected.
    Object.defineProperty(admitted, 'writable', { value: true });
    connections.admit(admitted);
    const responseOn = (socket: Socket): ServerResponse =>
      ({ req: { socket }, closed: false, once: () => undefined }) as never;
    const responses = [responseOn(admitted), responseOn(admitted), responseOn(other)];
    const served: unknown[] = [];
    for (const response of responses) connections.serve(response, () => served.push(response));
    expect(served).to.deep.equal([responses[0]]);
    expect(connections.answersOn(admitted)).to.include({ current: responses[0], latest: responses[1] });
    expect(connections.has(other)).to.equal(false);
    expect(connections.answersOn(other)).to.deep.equal({});
    expect(connections.count).to.equal(1);
  });

  it('refuse a secured one whose bare one has ended', () => {
    const connections = new HttpConnections(9, 9);
    connections.secure(secured());
    expect(connections.count).to.equal(0);
  });
});
