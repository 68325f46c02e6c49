import { expect } from 'chai';
import { createDefaultClientId } from '../../src/mqtt/create-client.js';

const broker = { host: 'broker.local', port: 1883, isSecure: false };

describe('createDefaultClientId', () => {
  it('is the same each time, and short enough for every broker', async () => {
    const clientId = await createDefaultClientId(broker, 'reader door');
    expect(clientId).to.match(/^tallybook-[0-9a-f]{12}$/);
    expect(await createDefaultClientId(broker, 'reader door')).to.equal(clientId);
  });

  it('differs for another purpose and another broker', async () => {
    const ids = await Promise.all([
      createDefaultClientId(broker, 'reader door'),
      createDefaultClientId(broker, 'reader gate'),
      createDefaultClientId({ ...broker, port: 1884 }, 'reader door'),
      createDefaultClientId({ ...broker, host: 'other.local' }, 'reader door'),
    ]);
    expect(new Set(ids).size).to.equal(4);
  });
});
