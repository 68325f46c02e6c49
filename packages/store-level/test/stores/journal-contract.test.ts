import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAll, type JournalLimits } from '@tallybook/domain';
import {
  LevelCorrectionStore,
  LevelDatabase,
  LevelDayStore,
  LevelJournal,
  LevelMappingStore,
  LevelProvisionalStore,
} from '@tallybook/store-level';
import {
  journalContract,
  type JournalFaults,
  type JournalStores,
  type JournalSubject,
} from '@tallybook/testing';
import { useLevelProbe } from '../fixtures/leveldb/level-probe.js';

describe('On a disk', () => {
  const probe = useLevelProbe();

  const faults: JournalFaults = {
    failNext: () => probe.current.failOnce(new Error('no space left')),
    hold: () => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      probe.current.onBatch = async (run) => {
        await held;
        await run();
      };
      return release;
    },
  };

  journalContract(
    { describe, it },
    { name: 'LevelJournal', durable: true, hasFaults: true, make: (limits) => onDisk(limits) },
  );

  async function onDisk(limits: JournalLimits): Promise<JournalSubject> {
    const path = await mkdtemp(join(tmpdir(), 'tallybook-'));
    let close = (): Promise<void> => Promise.resolve();
    const open = async (): Promise<JournalStores> => {
      await close();
      const database = new LevelDatabase(path, { journal: limits });
      const stores = {
        journal: new LevelJournal(database),
        mapping: new LevelMappingStore(database),
        days: new LevelDayStore(database),
        provisional: new LevelProvisionalStore(database),
        corrections: new LevelCorrectionStore(database),
      };
      const opened = await openAll(Object.values(stores));
      close = () => opened.close();
      return stores;
    };
    const cleanup = async (): Promise<void> => {
      await close();
      await rm(path, { recursive: true, force: true });
    };
    return { ...(await open()), restart: open, faults, cleanup };
  }
});
