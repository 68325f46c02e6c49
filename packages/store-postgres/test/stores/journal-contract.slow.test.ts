import { openAll, type JournalLimits } from '@tallybook/domain';
import {
  PostgresCorrectionStore,
  PostgresDatabase,
  PostgresDayStore,
  PostgresJournal,
  PostgresMappingStore,
  PostgresProvisionalStore,
} from '@tallybook/store-postgres';
import { journalContract, type JournalStores, type JournalSubject } from '@tallybook/testing';
import { CommitProxy } from '../fixtures/commit-proxy.js';
import { usePostgres } from '../fixtures/postgres.js';

describe('In a PostgreSQL', () => {
  const postgres = usePostgres();

  journalContract(
    { describe, it },
    {
      name: 'PostgresJournal',
      durable: true,
      hasFaults: true,
      losesAnswers: true,
      make: (limits) => onSite(limits),
    },
  );

  async function onSite(limits: JournalLimits): Promise<JournalSubject> {
    const proxy = await CommitProxy.start(postgres.current.port);
    const url = proxy.through(postgres.current.site());
    let close = (): Promise<void> => Promise.resolve();
    const open = async (): Promise<JournalStores> => {
      await close();
      const database = new PostgresDatabase(url, { journal: limits });
      const stores = {
        journal: new PostgresJournal(database),
        mapping: new PostgresMappingStore(database),
        days: new PostgresDayStore(database),
        provisional: new PostgresProvisionalStore(database),
        corrections: new PostgresCorrectionStore(database),
      };
      const opened = await openAll(Object.values(stores));
      close = () => opened.close();
      return stores;
    };
    const cleanup = async (): Promise<void> => {
      await close();
      await proxy.stop();
    };
    const faults = {
      failNext: () => proxy.next('roll-back'),
      hold: () => proxy.hold(),
      loseNextAnswer: () => proxy.next('cut-after'),
    };
    return { ...(await open()), restart: open, faults, cleanup };
  }
});
