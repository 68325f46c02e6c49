import { writeFile } from 'node:fs/promises';
import { SystemSecrets } from '@tallybook/system';
import { expect } from 'chai';
import { toTimestamp } from '@tallybook/domain';
import { AuditTrail, type AuditEntry, type AuditHead, type User } from '@tallybook/domain/access';
import { trailOf } from '../../src/audit/command-trail.js';
import { listAudit, parseAuditHead, verifyAudit } from '../../src/command-line/audit-commands.js';
import { importBackup } from '../../src/command-line/backup-commands.js';
import { importNames } from '../../src/command-line/import-names-command.js';
import { CaughtOutput } from '../fixtures/processes/caught-output.js';
import { failureOf } from '../fixtures/failure-of.js';
import { withStores } from '../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const ada: User = { name: 'ada', role: 'admin', password: undefined, createdAt: toTimestamp(1_763_500_000) };

describe('The commands of the audit trail', () => {
  const folder = temporaryFolder();
  const url = (): string => `level:${folder.path('store')}`;

  /** Records this many changes of names in the audit trail, like a service with users. */
  async function fill(count: number): Promise<AuditHead | undefined> {
    return withStores(url(), async (stores) => {
      await stores.access.change({ putUsers: [ada] });
      const trail = trailOf(stores);
      for (let n = 1; n <= count; n++) await trail.note('ada', 'name-set', { id: '04A2B3C4D5', n });
      return trail.latest();
    });
  }

  async function listed(isJson = true): Promise<readonly string[]> {
    using output = new CaughtOutput(process.stdout);
    await listAudit(url(), { isJson });
    return output.text.split('\n').slice(0, -1);
  }

  it('report that a trail is sound, and its end', async () => {
    const head = await fill(3);
    const end = `${head?.number}:${head?.hash}`;
    expect(await verifyAudit(url())).to.deep.equal({
      isSound: true,
      lines: ['the audit trail is sound: 3 entries', `it ends with ${end}`],
    });
    expect((await verifyAudit(url(), parseAuditHead(` ${end.toUpperCase()}\n`))).isSound).to.equal(true);
    await fill(0);
    expect(await verifyAudit(`level:${folder.path('store')}`)).to.have.property('isSound', true);
  });

  it('report an empty trail, to programs without a line', async () => {
    await fill(0);
    expect(await verifyAudit(url())).to.deep.equal({ isSound: true, lines: ['the audit trail is empty'] });
    expect(await listed()).to.deep.equal([]);
    expect(await listed(false)).to.deep.equal(['the audit trail is empty']);
  });

  it('report entries that were removed for their age', async () => {
    await fill(3);
    // Three entries of this second, and a clock more than a day later.
    const timekeeper = {
      now: () => toTimestamp(Math.floor(Date.now() / 1_000) + 200_000),
      trust: () => ({ isTrusted: true, basis: 'assumed' }) as const,
    };
    const head = await withStores(url(), async (stores) => {
      const digest = (text: string): string => new SystemSecrets().digest(text);
      expect(await new AuditTrail({ store: stores.audit, digest, timekeeper }).shorten(1)).to.equal(3);
      return trailOf(stores).latest();
    });
    expect((await verifyAudit(url())).lines).to.deep.equal([
      'the audit trail is sound: 1 entry; the 3 before were removed for their age',
      `it ends with 4:${head?.hash}`,
    ]);
    const old = await verifyAudit(url(), { number: 2, hash: 'a'.repeat(64) });
    expect(old).to.have.property('isSound', false);
    expect(old.lines[0]).to.equal(
      'entry 2 was removed for its age, so it cannot be compared; give a later one',
    );
  });

  it('name the fault, and the sound part before it', async () => {
    const head = await fill(3);
    const expected = { number: 5, hash: 'a'.repeat(64) };
    expect(await verifyAudit(url(), expected)).to.deep.equal({
      isSound: false,
      lines: ['entry 4 is missing; the trail went on to entry 5 at least', `sound up to 3:${head?.hash}`],
    });
    expect((await verifyAudit(url(), { ...expected, number: 3 })).lines[0]).to.equal(
      'entry 3 is not the expected one: the trail was replaced',
    );
  });

  it('accept only NUMBER:HASH', () => {
    for (const wrong of [
      '',
      '3',
      '3:ab',
      `0:${'a'.repeat(64)}`,
      `-1:${'a'.repeat(64)}`,
      `3:${'g'.repeat(64)}`,
    ]) {
      expect(() => parseAuditHead(wrong), wrong)
        .to.throw(/--expect: NUMBER:HASH/)
        .with.property('code', 'INVALID_OPTION');
    }
  });

  it('list all entries, for programs and for people', async () => {
    await fill(1_100);
    const entries = (await listed()).map((line) => JSON.parse(line) as AuditEntry);
    expect(entries.map(({ number }) => number)).to.deep.equal(Array.from({ length: 1_100 }, (_, n) => n + 1));
    expect((await listed(false))[1]).to.match(
      /^2 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ "ada" name-set id="04A2B3C4D5" n=2$/,
    );
  });

  it('explain how to ask the server for a store in use, and report a missing store', async () => {
    expect(await failureOf(verifyAudit(url()), 'STORE_UNAVAILABLE')).to.match(/there is no store/);
    await fill(1);
    await withStores(url(), async () => {
      expect(await failureOf(verifyAudit(url()), 'STORE_LOCKED')).to.match(/GET \/api\/audit$/);
    });
  });

  it('find imports of the owner, if there are users', async () => {
    const list = folder.path('people.csv');
    await writeFile(list, 'id,first,last\n0A0A0A,Ada,Lovelace');
    await importNames(url(), list);
    expect(await listed()).to.deep.equal([]);
    await fill(0);
    await importNames(url(), list);
    await writeFile(list, 'id,first,last\n0A0A0A,Ada,Byron\n0B0B0B,Bob,');
    await importNames(url(), list, { isDryRun: true });
    await importNames(url(), list);
    const backup = folder.path('backup.jsonl');
    await writeFile(
      backup,
      '{"kind":"tallybook","version":1}\n{"kind":"name","id":"0C0C0C","first":"Cyd","last":""}\n',
    );
    await importBackup(url(), backup);
    const notes = (await listed()).map((line) => JSON.parse(line) as AuditEntry);
    expect(notes.map(({ actor, action, details }) => ({ actor, action, details }))).to.deep.equal([
      { actor: 'console', action: 'names-imported', details: { added: 1, changed: 1 } },
      {
        actor: 'console',
        action: 'imported',
        details: { names: 1, entries: 0, corrections: 0, provisional: 0 },
      },
    ]);
  });
});
