import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  proveStorage,
  type ProvenOptions,
  type StorageFaults,
  type StorageSubject,
} from '@tallybook/testing';
import { InnerStorage } from '../fixtures/inner-storage.js';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';

describe('On a disk', () => {
  const probe = useLevelProbe();

  proveStorage(
    { describe, it },
    {
      name: 'LevelStorage',
      facets: [
        ...(['mapping', 'days', 'journal', 'snapshots', 'provisional', 'receipts', 'corrections'] as const),
        ...(['people', 'erasures', 'access', 'audit', 'stampedNames', 'stations'] as const),
      ],
      faults: ['failAt', 'failReads', 'hold', 'openSnapshots'],
      make: onDisk,
    },
  );

  async function onDisk(options: ProvenOptions): Promise<StorageSubject> {
    const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
    let storage = new InnerStorage(path, options);
    const faults: StorageFaults = {
      failAt: (write) => probe.current.failAt(write),
      failReads: () => probe.current.failReads(),
      hold: () => probe.current.hold(),
      openSnapshots: () => storage.inner.handle.heldViews,
    };
    const cleanup = async (): Promise<void> => {
      await storage.close();
      await rm(path, { recursive: true, force: true });
    };
    const reopen = (others: ProvenOptions): InnerStorage => (storage = new InnerStorage(path, others));
    return { storage, reopen, faults, cleanup };
  }
});
