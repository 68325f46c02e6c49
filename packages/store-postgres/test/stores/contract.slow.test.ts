import {
  proveStorage,
  type ProvenOptions,
  type StorageFaults,
  type StorageSubject,
} from '@tallybook/testing';
import { CommitProxy } from '../fixtures/commit-proxy.js';
import { InnerStorage } from '../fixtures/inner-storage.js';
import { usePostgres } from '../fixtures/postgres.js';

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();

  proveStorage(
    { describe, it },
    {
      name: 'PostgresStorage',
      facets: [
        ...([
          'mapping',
          'people',
          'days',
          'journal',
          'snapshots',
          'provisional',
          'receipts',
          'corrections',
        ] as const),
        ...(['erasures', 'access', 'audit', 'stampedNames', 'stations'] as const),
      ],
      isShared: true,
      faults: ['failAt', 'failReads', 'hold', 'loseNextAnswer', 'openSnapshots'],
      make: onSite,
    },
  );

  async function onSite(options: ProvenOptions): Promise<StorageSubject> {
    const proxy = await CommitProxy.start(postgres.current.port);
    const url = proxy.through(postgres.current.site());
    let storage = new InnerStorage(url, options);
    const faults: StorageFaults = {
      failAt: (write) => proxy.failAt(write),
      failReads: () => {
        proxy.isOpen = () => false;
        proxy.cut();
        return () => (proxy.isOpen = () => true);
      },
      hold: () => proxy.hold(),
      loseNextAnswer: () => proxy.next('cut-after'),
      openSnapshots: () => storage.inner.openViews,
    };
    const cleanup = async (): Promise<void> => {
      await storage.close();
      await proxy[Symbol.asyncDispose]();
    };
    const reopen = (others: ProvenOptions): InnerStorage => (storage = new InnerStorage(url, others));
    return { storage, reopen, faults, cleanup };
  }
});
