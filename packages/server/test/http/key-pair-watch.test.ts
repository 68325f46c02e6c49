import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { readKeyPair, KeyPairWatch, type KeyPairWatchOptions } from '../../src/http/key-pair.js';
import { failureOf } from '../fixtures/failure-of.js';
import { makeCertificate, type TestKeyPair } from '../../../testing/test/fixtures/certificate.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { RecordedTimers } from '../../../testing/test/fixtures/recorded-timers.js';
import { testLifecycle } from '../../../testing/test/fixtures/test-lifecycle.js';

testLifecycle('KeyPairWatch', () => new KeyPairWatch(undefined));

describe('A certificate with its key', () => {
  const folder = temporaryFolder();
  const files = (): { cert: string; key: string } => ({ cert: folder.path('cert'), key: folder.path('key') });

  async function write({ cert, key }: Partial<TestKeyPair>): Promise<void> {
    if (cert !== undefined) await writeFile(folder.path('cert'), cert);
    if (key !== undefined) await writeFile(folder.path('key'), key, { mode: 0o600 });
  }

  const problem = (): Promise<string> => failureOf(readKeyPair(files()), 'INVALID_OPTION');

  it('is not checked before it is open, nor after it is closed', async () => {
    const faults: unknown[] = [];
    const watch = new KeyPairWatch(files(), { onFault: (error) => faults.push(error) });
    await watch.look();
    await write(makeCertificate());
    await watch.open();
    await watch.close();
    await rm(folder.path('cert'));
    await watch.look();
    expect(faults).to.deep.equal([]);
  });

  it('has its names and its end', async () => {
    const validTo = new Date('2099-12-31T23:59:59Z');
    await write(makeCertificate({ validTo }));
    const read = await readKeyPair(files());
    expect(read.names).to.equal('DNS:localhost, IP Address:127.0.0.1');
    expect(read.validTo).to.deep.equal(validTo);
  });

  it('is refused with a clear message if a file is missing, is of another kind, or belongs to another pair', async () => {
    const pair = makeCertificate();
    expect(await problem()).to.match(/^--tls-cert: ".*cert" cannot be read: ENOENT/);
    await write({ cert: pair.cert });
    expect(await problem()).to.match(/^--tls-key: ".*key" cannot be read: ENOENT/);
    await write({ key: 'no key' });
    expect(await problem()).to.match(/^--tls-key: ".*key" holds no private key in PEM/);
    await write({ cert: pair.key, key: pair.key });
    expect(await problem()).to.match(/^--tls-cert: ".*cert" holds no certificate in PEM/);
    await write({ cert: pair.cert, key: makeCertificate().key });
    expect(await problem()).to.match(
      /^--tls-key: ".*key" is not the key of the first certificate in ".*cert"/,
    );
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const locked = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
    await write({ key: privateKey.export(locked).toString() });
    expect(await problem()).to.match(/needs no passphrase/);
  });

  it('is named with its whole path of any length in a refusal', async () => {
    const { cert } = makeCertificate();
    const [long, other] = [folder.path('a'.repeat(60)), folder.path('b'.repeat(60))];
    await writeFile(long, cert);
    await writeFile(other, makeCertificate().key);
    expect(await failureOf(readKeyPair({ cert: long, key: other }), 'INVALID_OPTION')).to.equal(
      `--tls-key: "${other}" is not the key of the first certificate in "${long}"`,
    );
  });

  it('reports a key that everybody may read, but not one that a group may read', async () => {
    await write(makeCertificate());
    const isOpen: boolean[] = [];
    for (const mode of [0o600, 0o640, 0o644]) {
      await chmod(folder.path('key'), mode);
      isOpen.push((await readKeyPair(files())).isKeyOpen);
    }
    expect(isOpen).to.deep.equal([false, false, true]);
  });

  describe('whose files are watched', () => {
    const told: unknown[] = [];
    let watch: KeyPairWatch;

    beforeEach(() => void told.splice(0));
    afterEach(() => watch.close());

    async function open(options: KeyPairWatchOptions = {}): Promise<void> {
      watch = new KeyPairWatch(files(), {
        lookMs: 1,
        onFault: (error) => told.push((error as Error).message.replaceAll(folder.path(), '')),
        onExpiry: (_, isOver) => told.push(isOver ? 'over' : 'soon'),
        ...options,
      });
      watch.changes.subscribe(({ key }) => told.push(key));
      await watch.open();
    }

    async function untilTold(count: number): Promise<void> {
      while (told.length < count) await new Promise(setImmediate);
    }

    it('keeps a server from starting without one', async () => {
      await open().catch((error: unknown) => told.push((error as { readonly code: string }).code));
      expect(told).to.deep.equal(['INVALID_OPTION']);
      expect(watch.status).to.equal('closed');
    });

    it('is read again after changes, and stays while new ones are unusable', async () => {
      const [first, second] = [makeCertificate(), makeCertificate()];
      await write(first);
      await open();
      await writeFile(folder.path('cert.new'), second.cert);
      await rename(folder.path('cert.new'), folder.path('cert'));
      await untilTold(1);
      expect(watch.current).to.include(first);
      await writeFile(folder.path('key.new'), second.key);
      await rename(folder.path('key.new'), folder.path('key'));
      await untilTold(2);
      expect(watch.current).to.include(second);
      await rm(folder.path('key'));
      await untilTold(3);
      expect(watch.current).to.include(second);
      // A fault is reported once, however many checks find it.
      for (let n = 0; n < 3; n++) await watch.look();
      expect(told).to.deep.equal([
        '--tls-key: "/key" is not the key of the first certificate in "/cert"',
        second.key,
        told[2],
      ]);
      expect(told[2]).to.match(/^--tls-key: .*ENOENT/);
    });

    it('is read again at once on request', async () => {
      const next = makeCertificate();
      await write(makeCertificate());
      await open({ lookMs: 1_000_000 });
      await write(next);
      await watch.look();
      expect(told).to.deep.equal([next.key]);
    });

    it('is released after the close, also during a read', async () => {
      await write(makeCertificate());
      await open({ lookMs: 1_000_000 });
      await write(makeCertificate());
      const looking = watch.look();
      await watch.close();
      const toldBefore = [...told];
      await looking;
      expect(watch.current).to.equal(undefined);
      expect(told).to.deep.equal(toldBefore);
    });

    it('is checked every minute by default, until it is closed', async () => {
      await write(makeCertificate());
      using timers = new RecordedTimers();
      watch = new KeyPairWatch(files());
      await watch.open();
      // There is no listener for reports.
      await write(makeCertificate({ validTo: new Date(Date.now() - 1000) }));
      await watch.look();
      await rm(folder.path('key'));
      await watch.look();
      expect(timers.pending).to.deep.equal([60_000]);
      await watch.close();
      expect(timers.pending).to.deep.equal([]);
      expect(watch.current).to.equal(undefined);
    });

    it('is reported when a tenth of its time is left, and not before', async () => {
      const hoursMs = 3_600_000;
      for (const [leftMs, expected] of [
        [12 * hoursMs, []],
        [8 * hoursMs, ['soon']],
      ] as const) {
        told.splice(0);
        const [validFrom, validTo] = [leftMs - 100 * hoursMs, leftMs].map((ms) => new Date(Date.now() + ms));
        await write(makeCertificate({ ...(validFrom && { validFrom }), ...(validTo && { validTo }) }));
        await open({ lookMs: 1_000_000 });
        await watch.close();
        expect(told).to.deep.equal(expected);
      }
    });

    it('is reported again when the next one also ends soon', async () => {
      const soon = (): TestKeyPair =>
        makeCertificate({ validFrom: new Date(0), validTo: new Date(Date.now() + 3_600_000) });
      await write(soon());
      await open({ lookMs: 1_000_000 });
      const next = soon();
      await write(next);
      await watch.look();
      expect(told).to.deep.equal(['soon', 'soon', next.key]);
    });

    it('is reported again when its end is near again, after a clock was set back', async () => {
      const { now } = Date;
      const [validFrom, validTo] = [new Date(0), new Date(Date.now() + 3_600_000)];
      await write(makeCertificate({ validFrom, validTo }));
      await open({ lookMs: 1_000_000 });
      try {
        Date.now = () => validTo.getTime() / 2;
        await watch.look();
        expect(told).to.deep.equal(['soon']);
      } finally {
        Date.now = now;
      }
      await watch.look();
      expect(told).to.deep.equal(['soon', 'soon']);
    });

    it('is reported once before its end, and once afterwards', async () => {
      await write(makeCertificate({ validFrom: new Date(0), validTo: new Date(Date.now() + 3_600_000) }));
      await open({ lookMs: 1_000_000 });
      await watch.look();
      expect(told).to.deep.equal(['soon']);
      const over = makeCertificate({ validTo: new Date(Date.now() - 1000) });
      await write(over);
      await watch.look();
      await watch.look();
      expect(told).to.deep.equal(['soon', 'over', over.key]);
    });
  });
});
