import { NameService, parseTallyId, type NameCounts } from '@tallybook/domain';
import { MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from './throws.js';

describe('NameService', () => {
  const ada = { first: 'Ada', last: 'Lovelace' };
  let store: MemoryMappingStore;
  let service: NameService;

  beforeEach(async () => {
    store = new MemoryMappingStore();
    await store.open();
    service = new NameService(store);
  });

  afterEach(() => store.close());

  it('gives a tag to somebody, in canonical form', async () => {
    expect(await service.assign('04:a2:b3:c4:d5', { first: ' Ada', last: 'Lovelace ' })).to.equal('added');
    expect([...(await service.read())]).to.deep.equal([['04A2B3C4D5', ada]]);
    expect(await store.get(parseTallyId('04A2B3C4D5'))).to.deep.equal(ada);
  });

  it('says when it takes the place of another name', async () => {
    await service.assign('010203', ada);
    expect(await service.assign('01-02-03', { first: 'Charles', last: '' })).to.equal('replaced');
  });

  it('takes a tag from whom it belongs to, and says whether it did', async () => {
    await service.assign('010203', ada);
    expect(await service.remove('01 02 03')).to.equal(true);
    expect(await service.remove('010203')).to.equal(false);
    expect((await service.read()).size).to.equal(0);
  });

  it('rejects an id that is none, and stores nothing', async () => {
    await rejectionOf('INVALID_TALLY_ID', service.assign('04A2', ada));
    await rejectionOf('INVALID_TALLY_ID', service.remove(undefined));
    expect((await service.read()).size).to.equal(0);
  });

  it('rejects a name that is none, and stores nothing', async () => {
    await rejectionOf('INVALID_NAME', service.assign('010203', { first: 'Ada' }));
    expect((await service.read()).size).to.equal(0);
  });

  it('gives the name of one tag', async () => {
    await service.assign('010203', ada);
    expect(await service.nameOf(parseTallyId('010203'))).to.deep.equal(ada);
    expect(await service.nameOf(parseTallyId('010204'))).to.equal(undefined);
  });

  it('tells how many names have changed when they are written, and of nothing else', async () => {
    const told: NameCounts[] = [];
    service.changes.subscribe((counts) => told.push(counts));
    const none = { added: 0, changed: 0, removed: 0 };
    await service.assign('010203', ada);
    await service.assign('010203', ada);
    await service.remove('010203');
    expect(told).to.deep.equal([
      { ...none, added: 1 },
      { ...none, changed: 1 },
      { ...none, removed: 1 },
    ]);
    await service.remove('010203');
    await rejectionOf('INVALID_NAME', service.assign('010203', {}));
    await store.close();
    await rejectionOf('NOT_OPEN', service.assign('010203', ada));
    expect(told.length).to.equal(3);
  });

  it('has another revision after a change', async () => {
    const before = await service.revision();
    await service.assign('010203', ada);
    expect(await service.revision()).to.not.equal(before);
  });

  it('rejects as its store does', async () => {
    await store.close();
    await rejectionOf('NOT_OPEN', service.read());
    await rejectionOf('NOT_OPEN', service.revision());
    await rejectionOf('NOT_OPEN', service.assign('010203', ada));
    await rejectionOf('NOT_OPEN', service.remove('010203'));
  });
});
