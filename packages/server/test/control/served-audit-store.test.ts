import { AUDIT_BEGINNING } from '@tallybook/domain/access';
import { expect } from 'chai';
import type { OwnerClient } from '../../src/control/owner-client.js';
import { ServedAuditStore } from '../../src/control/served-audit-store.js';
import { failureOf } from '../fixtures/failure-of.js';

describe('ServedAuditStore', () => {
  const entry = { number: 7, hash: 'ab', at: 1, actor: 'ada', action: 'day-removed', details: {} };

  function served(entries: readonly object[], isWhole = true): { store: ServedAuditStore; asked: string[] } {
    const asked: string[] = [];
    const client: Pick<OwnerClient, 'get'> = {
      get: <T>(path: string) => {
        asked.push(path);
        return Promise.resolve({ entries, isWhole } as T);
      },
    };
    return { store: new ServedAuditStore(client as OwnerClient), asked };
  }

  it('reads the entries of the service', async () => {
    const { store, asked } = served([entry]);
    expect(await store.read(6, 100)).to.deep.equal([entry]);
    expect(await store.latest()).to.deep.include({ number: 7, hash: 'ab' });
    expect(asked).to.deep.equal(['/api/audit?after=6&limit=100', '/api/audit?limit=1']);
    expect(await served([]).store.latest()).to.equal(undefined);
  });

  it('ends with an unknown entry if the service has lost its end', async () => {
    expect(await served([entry], false).store.latest()).to.deep.equal({ number: 8, hash: AUDIT_BEGINNING });
    expect(await served([], false).store.latest()).to.deep.equal({ number: 1, hash: AUDIT_BEGINNING });
  });

  it('writes nothing: the service does', async () => {
    const { store, asked } = served([]);
    for (const write of [store.append(), store.appendNext(), store.begin(), store.removeThrough()])
      await failureOf(write, 'STORE_WRITE_FAILED');
    expect(asked).to.deep.equal([]);
  });
});
