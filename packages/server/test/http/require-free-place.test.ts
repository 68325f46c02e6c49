import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { HeldPort } from '../../../testing/test/fixtures/held-port.js';
import { requireFreePlace } from '../../src/http/require-free-place.js';
import { failureOf } from '../fixtures/failure-of.js';

describe('A place to listen at', () => {
  it('is refused while another program has it, and is free after the check', async () => {
    await using held = await HeldPort.take();
    const { port } = held;
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    expect(await failureOf(requireFreePlace('127.0.0.1', port), 'LISTEN_FAILED')).to.equal(
      `cannot listen on 127.0.0.1 port ${port}: another program listens there; choose another --port`,
    );
    await new Promise((resolve) => other.close(resolve));
    for (let time = 1; time <= 2; time++) await requireFreePlace('127.0.0.1', port);
    const next = createServer().listen(port, '127.0.0.1');
    await once(next, 'listening');
    await new Promise((resolve) => next.close(resolve));
  });
});
