import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayStoreContract } from '@tallybook/testing';
import { JournalDayStore } from '@tallybook-examples/own-day-store';

dayStoreContract(
  { describe, it },
  {
    name: 'JournalDayStore',
    durable: true,
    make: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'journal-'));
      const store = new JournalDayStore(join(folder, 'days.jsonl'));
      const cleanup = () => store.close().then(() => rm(folder, { recursive: true }));
      return { store, reopen: () => new JournalDayStore(join(folder, 'days.jsonl')), cleanup };
    },
  },
);
