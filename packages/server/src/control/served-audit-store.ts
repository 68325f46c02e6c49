import { TallybookError } from '@tallybook/domain';
import { AUDIT_BEGINNING, type AuditEntry, type AuditHead, type AuditStore } from '@tallybook/domain/access';
import type { OwnerClient } from './owner-client.js';

/** The audit trail of a running service, only for reading. */
export class ServedAuditStore implements AuditStore {
  readonly #client: OwnerClient;

  constructor(client: OwnerClient) {
    this.#client = client;
  }

  async latest(): Promise<AuditHead | undefined> {
    const { entries, isWhole } = await this.#page('limit=1');
    const last = entries.at(-1);
    // The service knows where the trail must end. If the trail does not end there, this returns an entry that does not exist. The
    // check then finds that entry missing, unless it finds another fault first.
    return isWhole ? last : { number: (last?.number ?? 0) + 1, hash: AUDIT_BEGINNING };
  }

  async read(after: number, limit: number): Promise<readonly AuditEntry[]> {
    return (await this.#page(`after=${after}&limit=${limit}`)).entries;
  }

  readonly append: () => Promise<never> = refuse;
  readonly appendNext: () => Promise<never> = refuse;
  readonly begin: () => Promise<never> = refuse;
  readonly removeThrough: () => Promise<never> = refuse;

  #page(query: string): Promise<{ readonly entries: readonly AuditEntry[]; readonly isWhole: boolean }> {
    return this.#client.get(`/api/audit?${query}`);
  }
}

function refuse(): Promise<never> {
  const message = 'the service that runs writes its audit trail itself';
  return Promise.reject(new TallybookError('STORE_WRITE_FAILED', message));
}
