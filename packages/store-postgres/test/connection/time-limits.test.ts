import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { toDay } from '@tallybook/domain';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { usePostgres } from '../fixtures/postgres.js';
import { facetOf } from '@tallybook/testing';
import { InnerStorage } from '../fixtures/inner-storage.js';

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;
const day = toDay(20_411);

describe('A PostgreSQL that accepts a connection and is silent', () => {
  it('is given up after ten seconds', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    using timers = new RecordedTimers();
    const store = facetOf(new InnerStorage(`postgres://ada:x@127.0.0.1:${port}/base`), 'days');
    const failing = rejection(store.open(), 'STORE_UNAVAILABLE');
    await once(silent, 'connection');
    // The pool waits this long, and perhaps the connection too.
    while (timers.pending.includes(CONNECT_MS)) {
      timers.expire(CONNECT_MS);
      await new Promise(setImmediate);
    }
    assert.ok(timers.delays.includes(CONNECT_MS));
    await failing;
    for (const socket of sockets) socket.destroy();
    silent.close();
    await once(silent, 'close');
  });
});

describe('A connection to a PostgreSQL', () => {
  const postgres = usePostgres();

  it('waits half a minute for an answer, and leaves no timer after it', async () => {
    const days = facetOf(new InnerStorage(postgres.current.site()), 'days');
    using timers = new RecordedTimers();
    await days.open();
    // The lifetime of the connection is as long.
    const ofAnswers = (): number => timers.pending.filter((delayMs) => delayMs === ANSWER_MS).length;
    const [before, asked] = [ofAnswers(), timers.delays.length];
    await days.load(day);
    assert.ok(timers.delays.slice(asked).includes(ANSWER_MS));
    assert.equal(ofAnswers(), before);
    await days.close();
    // No idle connection is kept for another ten seconds. The end of a lifetime comes after that of the connection.
    assert.deepEqual(
      timers.pending.filter((delayMs) => delayMs !== ANSWER_MS),
      [],
    );
  });

  it('has a keep-alive of TCP, so that it ends if the other end has vanished', async () => {
    // oxlint-disable-next-line typescript/unbound-method -- called with the socket
    const { setKeepAlive } = Socket.prototype;
    const kept: (boolean | undefined)[] = [];
    Socket.prototype.setKeepAlive = function (enable, ...rest) {
      kept.push(enable);
      return setKeepAlive.call(this, enable, ...rest);
    };
    try {
      const days = facetOf(new InnerStorage(postgres.current.site()), 'days');
      await days.open();
      await days.close();
    } finally {
      Socket.prototype.setKeepAlive = setKeepAlive;
    }
    assert.ok(kept.includes(true));
  });

  it('may be idle within a transaction for ten seconds, and for a snapshot as long as it is read', async () => {
    const database = new InnerStorage(postgres.current.site());
    await database.open();
    const text = "SELECT current_setting('idle_in_transaction_session_timeout') AS value";
    const read = await database.inner.read((connection) => connection.query<{ value: string }>(text));
    assert.deepEqual(read, [{ value: '10s' }]);
    const one = `${text} WHERE $1 <> ''`;
    const written = await database.inner.write((transaction) => transaction.rows<{ value: string }>(one));
    assert.deepEqual(written, [{ value: '10s' }]);
    await using view = await database.inner.view();
    const seen = await view.rows<{ value: string }>(one);
    assert.deepEqual(seen, [{ value: '0' }]);
    await view[Symbol.asyncDispose]();
    await database.close();
  });
});
