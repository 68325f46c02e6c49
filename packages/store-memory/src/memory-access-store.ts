import type { Revision } from '@tallybook/domain';
import type { AccessChanges, AccessRecord, AccessStore, Credential, User } from '@tallybook/domain/access';
import { MemoryStore } from './memory-store.js';

/** Data of a {@link MemoryAccessStore}. */
export interface MemoryAccess {
  readonly users: Map<string, User>;
  readonly credentials: Map<string, Credential>;
  secret: string | undefined;
  /** Number of changes. */
  changes: number;
}

/** Data without users and credentials. */
export function noAccess(): MemoryAccess {
  return { users: new Map(), credentials: new Map(), secret: undefined, changes: 0 };
}

/** An {@link AccessStore} in memory. Its data lives as long as the given `access`. */
export class MemoryAccessStore extends MemoryStore implements AccessStore {
  readonly #access: MemoryAccess;

  constructor(access: MemoryAccess = noAccess()) {
    super();
    this.#access = access;
  }

  read(): Promise<AccessRecord> {
    return this.run(() => {
      const users = [...this.#access.users.values()].sort((a, b) => compareTexts(a.name, b.name));
      const credentials = [...this.#access.credentials.values()].sort((a, b) => compareTexts(a.id, b.id));
      const { secret } = this.#access;
      return Promise.resolve({ users, credentials, ...(secret !== undefined && { secret }) });
    });
  }

  change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
    return this.run(() => {
      const { users, credentials } = this.#access;
      if (expected !== undefined && expected !== this.#revision()) return Promise.resolve(undefined);
      for (const name of changes.removeUsers ?? []) users.delete(name);
      for (const id of changes.removeCredentials ?? []) credentials.delete(id);
      for (const user of changes.putUsers ?? []) users.set(user.name, user);
      for (const credential of changes.putCredentials ?? []) credentials.set(credential.id, credential);
      this.#access.secret = changes.secret ?? this.#access.secret;
      this.#access.changes++;
      return Promise.resolve(this.#revision());
    });
  }

  revision(): Promise<Revision> {
    return this.run(() => Promise.resolve(this.#revision()));
  }

  #revision(): Revision {
    return String(this.#access.changes);
  }
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
