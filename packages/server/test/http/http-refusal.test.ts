import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { refuse } from '../../src/http/http-refusal.js';

describe('bytes that are no HTTP', () => {
  it('are answered once, and do not take that answer away when more of them follow', async () => {
    const socket = new PassThrough();
    const error = Object.assign(new Error('no HTTP'), { code: 'HPE_INVALID_METHOD' });
    refuse(error, socket);
    refuse(error, socket);
    expect(socket.destroyed).to.equal(false);
    const answer = (await socket.setEncoding('latin1').toArray()).join('');
    expect(answer.match(/^HTTP/gm)).to.have.length(1);
  });

  it('end the connection a second after the answer if their client keeps its side open, and wait no longer than that', async () => {
    using timers = new RecordedTimers([1_000]);
    const error = Object.assign(new Error('no HTTP'), { code: 'HPE_INVALID_METHOD' });
    const [staying, leaving] = [new PassThrough(), new PassThrough()];
    for (const socket of [staying, leaving]) {
      // Neither side is done with the connection by itself.
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
});
