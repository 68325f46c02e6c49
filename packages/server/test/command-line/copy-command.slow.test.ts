import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { toDay, toTimestamp, parseTallyId } from '@tallybook/domain';
import type { AuditEntry } from '@tallybook/domain/access';
import { trailOf } from '../../src/audit/command-trail.js';
import { copyStore } from '../../src/command-line/copy-command.js';
import { copyStores } from '../../src/copy/copy-stores.js';
import { recordKinds, surveyStores, type Survey } from '../../src/copy/survey-stores.js';
import { failureOf } from '../fixtures/failure-of.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { ada, bob, day, fillVaried, gone, withStores } from '../fixtures/stores/varied-store.js';

const now = toTimestamp(1_763_500_000 + 500_000);

const status = { waiting: 0, provisional: 0, isClockTrusted: true, version: '1.0.0' };
const notes = { heardAt: now, status, refused: [] };

describe('tallybook copy', () => {
  const folder = temporaryFolder();
  const url = (name: string): string => `level:${folder.path(name)}`;
  const survey = (name: string): Promise<Survey> => withStores(url(name), (stores) => surveyStores(stores));
  const copy = (isMerging = false): Promise<readonly string[]> =>
    copyStore(url('from'), url('to'), { isMerging });

  it('copies all data except the journal', async () => {
    await fillVaried(url('from'));
    const lines = await copy();
    const from = await survey('from');
    expect(await survey('to')).to.deep.equal(from);
    for (const kind of recordKinds) expect(from[kind].count, kind).to.be.above(0);
    expect(lines.join('\n')).to.match(/both hold the same/);
    await withStores(url('to'), async ({ days, mapping, erasures, corrections }) => {
      expect(await mapping.get(bob)).to.deep.equal({ first: 'Žofie', last: '' });
      expect(await days.scans(day, ada)).to.have.length(4);
      expect((await days.load(toDay(20_412)))?.entries[0]).to.include({ id: bob });
      expect(erasures.of(gone).map(({ until }) => until)).to.deep.equal([1_763_500_005]);
      expect((await corrections.list(day, day)).map(({ state }) => state)).to.deep.equal([
        'approved',
        'pending',
      ]);
    });
  });

  it('goes on after an interruption', async () => {
    await fillVaried(url('from'));
    for (const step of ['copying scans', 'copying corrections', 'copying users']) {
      const interrupted = await withStores(url('from'), (from) =>
        withStores(url('to'), (to) =>
          copyStores(from, to, {
            isMerging: false,
            now,
            onProgress: (text) => {
              if (text.startsWith(step)) throw new Error('cut');
            },
          }).catch((error: unknown) => error),
        ),
      );
      expect(interrupted).to.be.an('error');
    }
    await copy();
    expect(await survey('to')).to.deep.equal(await survey('from'));
  });

  it('copies data that is newer than an earlier copy', async () => {
    await fillVaried(url('from'));
    await copy();
    await withStores(url('from'), async ({ days, receipts, audit }) => {
      await days.record(toDay(20_413), ada, toTimestamp(1_763_700_000));
      await receipts.note('door', 'b', 9);
      const end = await audit.latest();
      const entry = { at: now, actor: 'eve', action: 'exported', details: {}, hash: 'f'.repeat(64) } as const;
      const next: AuditEntry = { ...entry, number: (end?.number ?? 0) + 1, previous: end?.hash ?? '' };
      expect(await audit.append(next)).to.equal(true);
    });
    await copy();
    expect(await survey('to')).to.deep.equal(await survey('from'));
  });

  it('refuses a target with data that the source does not have, names it, and changes nothing', async () => {
    await fillVaried(url('from'));
    await copy();
    await withStores(url('to'), ({ days }) => days.record(day, ada, toTimestamp(1_763_500_008)));
    const before = await survey('to');
    expect(await failureOf(copy(), 'INVALID_OPTION')).to.match(
      /other scans of the tag 04A2B3C4D5 on day 20411 since 1970; nothing was copied/,
    );
    expect(await survey('to')).to.deep.equal(before);
  });

  it('prints number and digest of each copied kind of data, and of no other kind', async () => {
    await withStores(url('from'), async ({ mapping, days }) => {
      for (let n = 10; n < 20; n++) await mapping.put(parseTallyId(`0A0B0C${n}`), { first: 'Ada', last: '' });
      await days.record(day, ada, toTimestamp(1_763_500_000));
    });
    const [, ...said] = await copy();
    const counts = said.filter((line) => line.includes(' sha256 '));
    expect(counts.map((line) => line.replace(/ +sha256 [0-9a-f]{16}$/, ''))).to.deep.equal([
      ...['  10 names', '  10 stamps of names', '   1 days', '   1 entries', '   1 scans'],
    ]);
  });

  it('merges into a target with another record, which stays', async () => {
    await fillVaried(url('from'));
    await withStores(url('to'), async ({ days, mapping }) => {
      await days.record(day, ada, toTimestamp(1_763_500_100));
      await mapping.put(gone, { first: 'Cyd', last: '' });
    });
    expect((await copy(true)).join('\n')).to.match(/^merged/);
    await withStores(url('to'), async ({ days, mapping }) => {
      expect(await days.scans(day, ada)).to.have.length(5);
      expect(await mapping.get(ada)).to.deep.equal({ first: 'Ada', last: 'Lovelace' });
    });
  });

  it('keeps later data about a station in the target', async () => {
    await fillVaried(url('from'));
    const later = toTimestamp(1_763_500_031);
    await withStores(url('to'), ({ stations }) =>
      stations.acknowledge('hall', 'later', 99, { ...notes, heardAt: later }),
    );
    await copy(true);
    await withStores(url('to'), async ({ stations }) => {
      const [, hall] = await stations.list();
      expect(hall).to.deep.include({ run: 'later', acknowledged: 99, heardAt: later, refused: [] });
    });
  });

  it('says how many records of erased persons it left out', async () => {
    await fillVaried(url('from'));
    const until = toTimestamp(1_763_500_006);
    await withStores(url('to'), ({ erasures }) =>
      erasures.erase({ ids: [ada], until, expiresAt: toTimestamp(2_000_000_000) }),
    );
    expect((await copy(true)).join('\n')).to.match(/left out: \d+ records/);
  });

  it('keeps the audit trail of a target with its own one', async () => {
    await fillVaried(url('from'));
    await withStores(url('to'), (stores) => trailOf(stores).note('ab', 'exported'));
    const before = (await survey('to'))['audit entries'];
    expect((await copy(true)).join('\n')).to.match(/the audit trail was not copied/);
    expect((await survey('to'))['audit entries']).to.deep.equal(before);
  });

  it('refuses a store in memory, the same store twice, and a missing source', async () => {
    const refused = async (from: string, to: string): Promise<string> =>
      failureOf(copyStore(from, to, { isMerging: false }), 'INVALID_OPTION');
    expect(await refused('memory:', url('to'))).to.match(/--from/);
    expect(await refused(url('from'), 'memory:')).to.match(/--to/);
    expect(await refused(url('from'), url('from'))).to.match(/the same/);
    expect(await failureOf(copy(), 'STORE_UNAVAILABLE')).to.match(
      /^--from: there is no store .* with --from$/,
    );
    expect(await refused('nonsense', url('to'))).to.match(/^--from: a store is one of/);
    expect(await refused(url('from'), 'nonsense')).to.match(/^--to: a store is one of/);
  });

  it('names the flag of the store that cannot be opened', async () => {
    await fillVaried(url('from'));
    await writeFile(folder.path('file'), '');
    const failed = copyStore(url('from'), url('file'), { isMerging: false });
    expect(await failureOf(failed, 'STORE_UNAVAILABLE')).to.match(/^--to: .* choose one with --to$/);
  });

  it('gives advice while a service has the source', async () => {
    await fillVaried(url('from'));
    await withStores(url('from'), async () => {
      expect(await failureOf(copy(), 'STORE_LOCKED')).to.match(/stop the service/);
    });
  });
});
