import type { Credential, User } from '../values/access.js';
import type { Revision } from '../../ports/revision.js';
import type { AuditStore } from './audit-store.js';

/** Users, sessions and tokens, and the secret of the service. */
export interface AccessRecord {
  /** Ascending by name. */
  readonly users: readonly User[];
  /** Ascending by id. */
  readonly credentials: readonly Credential[];
  /** Key by which all servers on the store recognise what they have given to browsers: 43 characters. Absent at first. */
  readonly secret?: string;
}

/** Changes to make. An item with the name or the id of a present one replaces it. */
export interface AccessChanges {
  readonly putUsers?: readonly User[];
  /** Names of users. Unknown names are ignored. */
  readonly removeUsers?: readonly string[];
  readonly putCredentials?: readonly Credential[];
  /** Ids of credentials. Unknown ids are ignored. */
  readonly removeCredentials?: readonly string[];
  /** Replaces the secret of the service. Default: it stays. */
  readonly secret?: string | undefined;
}

/**
 * Keeps users, sessions and tokens, some thousands at most, and the secret of the service. They are read as a whole.
 *
 * For implementors: a write resolves only when it would survive a power cut; one that rejects has happened as a whole or
 * not at all. Other processes may write to the same storage unless your own documentation excludes it. Arguments are
 * values of the domain and need no further check. Results belong to the caller. A damaged row must not let anybody in:
 * reading rejects with `STORE_CORRUPT`.
 */
export interface AccessStore {
  /** Everything, as of one moment. */
  read(): Promise<AccessRecord>;
  /**
   * Makes all these changes, or none. An item that is both removed and put is present afterwards.
   *
   * @param expected If this is not the present revision, nothing is changed: another server wrote first.
   * @returns The revision after the change; `undefined` if `expected` was not the present revision.
   */
  change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined>;
  /** Changes whenever the result of `read` changes. */
  revision(): Promise<Revision>;
}

/** Who has access, and what they did. */
export interface AccessFacets {
  readonly access: AccessStore;
  readonly audit: AuditStore;
}
