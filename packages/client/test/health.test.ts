import { expect } from 'chai';
import { TallybookClient } from '../src/index.js';
import { caught } from './fixtures/caught.js';
import { StandIn } from './fixtures/stand-in.js';

function answering(status: number, body: object): Promise<StandIn> {
  return StandIn.start((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
}

describe('TallybookClient.isReady', () => {
  it('is the answer of the service', async () => {
    await using ready = await answering(200, { isReady: true });
    expect(await new TallybookClient(ready.url).isReady()).to.equal(true);
    await using unable = await answering(503, { status: 503, detail: 'it cannot' });
    expect(await new TallybookClient(unable.url).isReady()).to.equal(false);
  });

  it('rejects when something else answers', async () => {
    await using page = await StandIn.page();
    expect(await caught(new TallybookClient(page.url).isReady())).to.include({ kind: 'invalid-answer' });
    await using refusing = await answering(421, {});
    expect(await caught(new TallybookClient(refusing.url).isReady())).to.include({ status: 421 });
  });
});
