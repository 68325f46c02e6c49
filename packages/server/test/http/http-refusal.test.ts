import { PassThrough } from 'node:stream';
import { expect } from 'chai';
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
});
