import { expect } from 'chai';
import { toDay, toTimestamp } from '@tallybook/domain';
import type { Credential, User } from '@tallybook/domain/access';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';
import { hexOf, readRawRows, writeRawRows, writeRows } from '../fixtures/raw-rows.js';
import { rejection } from '../../../testing/test/fixtures/rejection.js';
import { openFacet } from '../fixtures/stores.js';
import { useTempDirectory } from '../fixtures/temp-directory.js';

const at = toTimestamp(1_763_500_000);
const ada: User = { name: 'ada', role: 'admin', password: '$scrypt$x', createdAt: at };
const bob: User = { name: 'bob', role: 'desk', password: undefined, createdAt: at };
const session: Credential = {
  ...{ id: 'aaaaaaaaaaaaaaaa', digest: 'd'.repeat(64), kind: 'session', role: 'admin', user: 'ada' },
  ...{ label: 'Firefox', createdAt: at, expiresAt: toTimestamp(1_763_600_000), lastUsed: toDay(20_411) },
};

describe('LevelAccessStore', () => {
  const directory = useTempDirectory();
  const probe = useLevelProbe();

  const open = () => openFacet(directory.path, 'access');

  async function fill(): Promise<void> {
    await using store = await open();
    await store.change({ putUsers: [ada, bob], putCredentials: [session] });
  }

  it('keeps a row for each user and each credential, without missing fields', async () => {
    await fill();
    const own = [...(await readRawRows(directory.path))].filter(([key]) => /^0[89]/.test(key));
    expect(
      own.map(([key, sealed]) => [key, Buffer.from(sealed.slice(0, -8), 'hex').toString()]),
    ).to.deep.equal([
      [`08${hexOf('ada')}`, '{"role":"admin","password":"$scrypt$x","createdAt":1763500000}'],
      [`08${hexOf('bob')}`, '{"role":"desk","createdAt":1763500000}'],
      [
        `09${hexOf(session.id)}`,
        `{"digest":"${session.digest}","kind":"session","role":"admin","user":"ada","label":"Firefox","createdAt":1763500000,"expiresAt":1763600000,"lastUsed":20411}`,
      ],
    ]);
  });

  for (const [what, key] of [
    ['user', `08${hexOf('bob')}`],
    ['credential', `09${hexOf(session.id)}`],
  ] as const) {
    it(`rejects with STORE_CORRUPT if the row of a ${what} is damaged, until it is replaced or removed`, async () => {
      await fill();
      await writeRawRows(directory.path, { [key]: hexOf('{"role":"admin"}') });
      await using store = await open();
      await rejection(store.read(), 'STORE_CORRUPT');
      await store.change({ removeUsers: ['bob'], removeCredentials: [session.id] });
      expect(await store.read()).to.deep.equal({ users: [ada], credentials: [] });
    });
  }

  it('rejects with STORE_CORRUPT if a row holds no user', async () => {
    await fill();
    await writeRows(directory.path, { [`08${hexOf('cyd')}`]: hexOf('{"role":"king","createdAt":1}') });
    await using store = await open();
    await rejection(store.read(), 'STORE_CORRUPT');
  });

  it('changes nothing when the write fails, and accepts the next one', async () => {
    await using store = await open();
    await store.change({ putUsers: [ada] });
    const revision = await store.revision();
    probe.current.failOnce(new Error('the disk is full'));
    await rejection(store.change({ putUsers: [bob], removeUsers: ['ada'] }), 'STORE_WRITE_FAILED');
    expect(await store.read()).to.deep.equal({ users: [ada], credentials: [] });
    expect(await store.revision()).not.to.equal(revision);
    await store.change({ putUsers: [bob] });
    expect((await store.read()).users).to.deep.equal([ada, bob]);
  });

  it('has another revision than the former opening', async () => {
    await fill();
    const revisionOf = async (): Promise<string> => {
      await using store = await open();
      return await store.revision();
    };
    expect(await revisionOf()).not.to.equal(await revisionOf());
  });
});
