import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayStoreContract } from '@tallybook/testing';
import { LinesDayStore } from '@tallybook-examples/own-day-store';

dayStoreContract(
  { describe, it },
  {
    name: 'LinesDayStore',
    durable: true,
    make: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'lines-'));
      const store = new LinesDayStore(join(folder, 'days.jsonl'));
      const cleanup = () => store.close().then(() => rm(folder, { recursive: true }));
      return { store, reopen: () => new LinesDayStore(join(folder, 'days.jsonl')), cleanup };
    },
  },
);
