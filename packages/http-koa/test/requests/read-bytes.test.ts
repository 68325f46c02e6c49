import { Readable } from 'node:stream';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import { bytesReader, readBytes } from '../../src/requests/read-body.js';
import { collectGarbage } from '../fixtures/measure-buffers.js';

/** The part of a request that the tests need. */
function requestWith(body: string): Koa.Context {
  const ctx = {
    req: Object.assign(Readable.from([body]), { headers: {} }),
    request: { body: undefined },
    state: {},
  };
  return ctx as unknown as Koa.Context;
}

/** The part of koa-body that the tests need. */
const loaded = {
  koaBody: () => async (ctx: Koa.Context) => {
    for await (const chunk of ctx.req) ctx.request.body = String(chunk);
  },
};

/** A request whose body arrives in chunks. */
function chunkedRequest(): Readable {
  const headers = { 'content-type': 'text/csv', 'transfer-encoding': 'chunked' };
  return Object.assign(new Readable({ read: () => undefined }), { headers, method: 'POST' });
}

describe('the reader of bodies', () => {
  it('keeps no chunk of an unfinished body: a byte in a chunk of its own would take 200 bytes', async () => {
    const request = chunkedRequest();
    const reading = readBytes(new Koa().createContext(request as never, {} as never), 10_000);
    while (request.listenerCount('data') === 0) await endOfTurn();
    const chunks = Array.from({ length: 1_000 }, () => {
      const chunk = Buffer.from('x');
      request.push(chunk);
      return new WeakRef(chunk);
    });
    await endOfTurn();
    collectGarbage();
    expect(chunks.filter((chunk) => chunk.deref() !== undefined)).to.have.lengthOf.below(10);
    request.push(null);
    expect((await reading).toString()).to.equal('x'.repeat(1_000));
  });

  it('is loaded again for the next body after a failure', async () => {
    let loads = 0;
    const read = bytesReader(() => {
      if (++loads === 1) throw new Error('EMFILE: too many open files');
      return Promise.resolve(loaded as never);
    });
    const failure = await read(requestWith('first'), 100).catch((error: unknown) => error);
    expect(String(failure)).to.contain('EMFILE');
    expect(String(await read(requestWith('second'), 100))).to.equal('second');
    expect(String(await read(requestWith('third'), 200))).to.equal('third');
    expect(loads).to.equal(2);
  });
});
