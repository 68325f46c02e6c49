import { Readable } from 'node:stream';
import { expect } from 'chai';
import type Koa from 'koa';
import { bytesReader } from '../../src/requests/read-bytes.js';

/** The part of a request that the tests need. */
function requestWith(body: string): Koa.Context {
  const ctx = { req: Object.assign(Readable.from([body]), { headers: {} }), request: { body: undefined } };
  return ctx as unknown as Koa.Context;
}

/** The part of koa-body that the tests need. */
const loaded = {
  koaBody: () => async (ctx: Koa.Context) => {
    for await (const chunk of ctx.req) ctx.request.body = String(chunk);
  },
};

describe('the reader of bodies', () => {
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
