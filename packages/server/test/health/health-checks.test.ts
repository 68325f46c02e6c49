import type { Publisher } from '@tallybook/devices';
import { TallybookError } from '@tallybook/domain';
import type { HealthCheck } from '@tallybook/domain/record';
import type { StoreNotice } from '../../src/config/stores.js';
import { expect } from 'chai';
import {
  accessCheck,
  auditCheck,
  backupCheck,
  diskCheck,
  publishersCheck,
  type Openness,
} from '../../src/health/checks.js';
import { StoreNotices } from '../../src/health/store-notices.js';

const statusOf = async ({ check }: HealthCheck): Promise<string> => (await check()).status;
const path = '/store';

describe('the check of the disk', () => {
  const statusAt = (freeBytes: number | undefined): Promise<string> =>
    statusOf(diskCheck(() => Promise.resolve(freeBytes)));

  it('warns below 200 MB, fails below 50 MB, and warns if the file system does not report its space', async () => {
    const sizes = [200_000_000, 199_999_999, 50_000_000, 49_999_999, undefined];
    expect(await Promise.all(sizes.map(statusAt))).to.deep.equal(['ok', 'warn', 'warn', 'fail', 'warn']);
  });

  it('shows the free space in MB', async () => {
    expect(await diskCheck(() => Promise.resolve(49_999_999)).check()).to.deep.equal({
      ...{ status: 'fail', detail: '49 MB are left; free some space' },
    });
  });
});

describe('the check of publishers', () => {
  it('names each, and warns of a publisher whose receiver accepts nothing', async () => {
    const countWaiting = (): Promise<number> => Promise.resolve(7);
    const home = {
      ...{ name: 'home', connection: 'connected', countWaiting, setAside: 0 },
    } as unknown as Publisher;
    const club = { name: 'club', connection: 'waiting', countWaiting, setAside: 0 } as unknown as Publisher;
    expect(await publishersCheck([home, club]).check()).to.deep.equal({
      status: 'warn',
      items: [
        { name: 'home', status: 'ok' },
        { name: 'club', status: 'warn', detail: 'its receiver takes nothing; at most 7 changes wait' },
      ],
    });
    expect(await statusOf(publishersCheck([home]))).to.equal('ok');
  });

  it('warns of changes that are set aside, and fails for a publisher that has stopped', async () => {
    const refused = { name: 'home', connection: 'connected', setAside: 1 } as unknown as Publisher;
    const stopped = new TallybookError('OUTPUT_FAILED', 'the webhook at example.org answers 404');
    const gone = { name: 'club', connection: 'waiting', setAside: 1, stopped } as unknown as Publisher;
    const said =
      '1 change is set aside, because the receiver refused it; correct the receiver, and send it again';
    expect(await publishersCheck([refused, gone]).check()).to.deep.equal({
      status: 'fail',
      items: [
        { name: 'home', status: 'warn', detail: said },
        { name: 'club', status: 'fail', detail: stopped.message },
      ],
    });
  });
});

describe('the check of backups', () => {
  const statusAt = (ageMs: number | undefined, hasFailed = false): Promise<string> =>
    statusOf(backupCheck({ state: { ageMs, hasFailed } }, 1_000));

  it('warns when the latest is older than twice the interval, or when the last attempt failed', async () => {
    expect(await statusAt(2_000)).to.equal('ok');
    expect(await statusAt(2_001)).to.equal('warn');
    expect(await statusAt(undefined)).to.equal('ok');
    expect(await statusAt(0, true)).to.equal('warn');
  });

  it('shows the age of the latest in whole hours', async () => {
    const check = (ageMs: number): unknown =>
      backupCheck({ state: { ageMs, hasFailed: false } }, 1_000).check();
    expect(await check(3_600_000)).to.have.property('detail', 'the latest is 1 hour old');
    expect(await check(10_799_999)).to.have.property('detail', 'the latest is 2 hours old');
  });
});

describe('the check of the audit trail', () => {
  it('warns while entries wait to be written', async () => {
    expect(await statusOf(auditCheck({ unwritten: 0 }))).to.equal('ok');
    for (const [unwritten, detail] of [
      [1, '1 action waits to be noted in the audit trail'],
      [2, '2 actions wait to be noted in the audit trail'],
    ] as const)
      expect(await auditCheck({ unwritten }).check()).to.deep.equal({ status: 'warn', detail });
  });
});

describe('the check of access', () => {
  it('warns while everybody has access, or the service is not claimed', async () => {
    const states: readonly Openness[] = ['loopback', 'claimed', 'unclaimed', 'insecure'];
    const statuses = states.map((openness) => statusOf(accessCheck(() => openness)));
    expect(await Promise.all(statuses)).to.deep.equal(['ok', 'ok', 'warn', 'warn']);
  });
});

describe('StoreNotices', () => {
  const error = new TallybookError('STORE_CORRUPT', 'a row is damaged');

  function after(...notices: StoreNotice[]): string {
    const store = new StoreNotices();
    for (const notice of notices) store.take(notice);
    return store.finding().status;
  }

  it('fails while the disk is full', () => {
    expect(after({ kind: 'created', path })).to.equal('ok');
    expect(after({ kind: 'unwritable', path, error })).to.equal('fail');
    expect(after({ kind: 'unwritable', path, error }, { kind: 'writable', path })).to.equal('ok');
    const full = new StoreNotices();
    full.take({ kind: 'unwritable', path, error });
    expect(full.finding()).to.have.property('detail', 'the disk is full; free some space');
  });

  it('fails with the reason while somebody has to repair the disk', () => {
    const broken = new StoreNotices();
    const details = { isPermanent: true };
    broken.take({
      ...{ kind: 'unwritable', path },
      error: new TallybookError('STORE_WRITE_FAILED', 'the disk is broken', { details }),
    });
    expect(broken.finding()).to.deep.equal({ status: 'fail', detail: 'the disk is broken' });
  });

  it('warns while a database has a setting with which taps can be lost', () => {
    const unsafe = (...settings: string[]): StoreNotice => ({ kind: 'unsafe', path, settings });
    expect(after(unsafe('fsync'))).to.equal('warn');
    expect(after(unsafe('fsync'), unsafe())).to.equal('ok');
  });

  it('warns that a database has lost acknowledged writes, until a restart', () => {
    const lost: StoreNotice = { kind: 'lost-commits', path, acknowledged: 512, found: 508 };
    const store = new StoreNotices();
    store.take(lost);
    expect(store.finding()).to.have.property('status', 'warn');
    expect(store.finding().detail).to.match(/^the database has lost acknowledged writes.*after a restart/);
  });

  it('warns that the latest writes may be missing, or that their loss cannot be detected, with advice', () => {
    const unguarded: StoreNotice = { kind: 'unguarded', path, file: 'ACKNOWLEDGED-2' };
    const unknownEnd: StoreNotice = { kind: 'unknown-end', path };
    const store = new StoreNotices();
    store.take(unguarded);
    expect(store.finding()).to.have.property('status', 'warn');
    expect(store.finding().detail).to.match(
      /^its file ACKNOWLEDGED-2 cannot be written.*move ACKNOWLEDGED-2/,
    );
    store.take(unknownEnd);
    expect(store.finding()).to.have.property('status', 'warn');
    expect(store.finding().detail).to.match(/look whether the latest taps are there; after a restart/);
    expect(after(unknownEnd, { kind: 'damaged', path, error, isMarked: true }, unguarded)).to.equal('warn');
    expect(after(unknownEnd, { kind: 'unwritable', path, error })).to.equal('fail');
  });

  it('warns of found damage, also when there is room again', () => {
    const damaged: StoreNotice = { kind: 'damaged', path, error, isMarked: true };
    expect(after(damaged)).to.equal('warn');
    expect(after({ kind: 'unwritable', path, error }, damaged)).to.equal('fail');
    expect(after({ kind: 'unwritable', path, error }, damaged, { kind: 'writable', path })).to.equal('warn');
  });
});
