import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ask } from '../ask.js';

describe('a request of the harness', () => {
  it('is sent again if the server had closed the kept connection', async () => {
    let count = 0;
    const server = createServer((request, response) => {
      count++;
      // The second request arrives on the connection of the first one.
      if (count === 2) request.socket.resetAndDestroy();
      else response.end(String(count));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new Agent({ keepAlive: true });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const bodies = [await ask(url, '/', { agent }), await ask(url, '/', { agent })].map((each) => each?.body);
    expect(bodies).to.deep.equal(['1', '3']);
    agent.destroy();
    server.close();
  });
});
