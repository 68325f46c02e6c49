import { NameService, parseTallyId } from '@tallybook/domain';
import { MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from '../fixtures/throws.js';

describe('NameService', () => {
  const ada = { first: 'Ada', last: 'Lovelace' };
  const tag = parseTallyId('010203');
  let store: MemoryMappingStore;
  let service: NameService;

  beforeEach(async () => {
    store = new MemoryMappingStore();
    await store.open();
    service = new NameService(store);
  });

  afterEach(() => store.close());

  it('gives a name to a tag, both in canonical form', async () => {
    expect(
      await service.assign(parseTallyId('04:a2:b3:c4:d5'), { first: ' Ada', last: 'Lovelace ' }),
    ).to.equal('added');
    expect([...(await service.read())]).to.deep.equal([['04A2B3C4D5', ada]]);
    expect(await store.get(parseTallyId('04A2B3C4D5'))).to.deep.equal(ada);
  });

  it('reports that it replaces another name', async () => {
    await service.assign(tag, ada);
    expect(await service.assign(tag, { first: 'Charles', last: '' })).to.equal('replaced');
  });

  it('removes the name of a tag, and says whether it had one', async () => {
    await service.assign(tag, ada);
    expect(await service.remove(tag)).to.equal(true);
    expect(await service.remove(tag)).to.equal(false);
    expect((await service.read()).size).to.equal(0);
  });

  it('rejects an invalid name, and stores nothing', async () => {
    await rejectionOf('INVALID_NAME', service.assign(tag, { first: 'Ada' }));
    expect((await service.read()).size).to.equal(0);
  });

  it('gives the name of one tag', async () => {
    await service.assign(tag, ada);
    expect(await service.nameOf(tag)).to.deep.equal(ada);
    expect(await service.nameOf(parseTallyId('010204'))).to.equal(undefined);
  });

  it('says whether a name was added, replaced or removed', async () => {
    expect(await service.assign(tag, ada)).to.equal('added');
    expect(await service.assign(tag, ada)).to.equal('replaced');
    expect(await service.remove(tag)).to.equal(true);
    expect(await service.remove(tag)).to.equal(false);
    await rejectionOf('INVALID_NAME', service.assign(tag, {}));
    await store.close();
    await rejectionOf('NOT_OPEN', service.assign(tag, ada));
  });

  it('has another revision after a change', async () => {
    const before = await service.revision();
    await service.assign(tag, ada);
    expect(await service.revision()).to.not.equal(before);
  });

  it('rejects as its store does', async () => {
    await store.close();
    await rejectionOf('NOT_OPEN', service.read());
    await rejectionOf('NOT_OPEN', service.revision());
    await rejectionOf('NOT_OPEN', service.assign(tag, ada));
    await rejectionOf('NOT_OPEN', service.remove(tag));
  });
});
