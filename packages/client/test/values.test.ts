import { expect } from 'chai';
import { RunningService } from '../../http-koa/test/running-service.js';
import { clientOf } from './connected.js';

const ADA = { first: 'Ada', last: 'Lovelace' };

describe('TallybookClient', () => {
  it('gives a tag to somebody and reads all names', async () => {
    await using service = await RunningService.start();
    const client = clientOf(service);
    expect(await client.assignName('04:a2:b3:c4:d5', ADA)).to.equal('added');
    expect(await client.assignName('04A2B3C4D5', ADA)).to.equal('replaced');
    const mapping = await client.readMapping();
    expect(mapping).to.deep.equal({ '04A2B3C4D5': ADA });
    expect(await client.readMapping({ known: mapping })).to.equal(mapping);
  });

  it('streams', async () => {
    await using service = await RunningService.start();
    const client = clientOf(service);
    const kinds: string[] = [];
    for await (const message of client.streamEvents()) {
      kinds.push(message.kind === 'connection' ? message.state : message.kind);
      if (message.kind === 'reset') void service.tap('04A2B3C4D5');
      if (message.kind === 'attendance') break;
    }
    expect(kinds).to.deep.equal(['connecting', 'open', 'reset', 'scan', 'attendance']);
  });
});
