import type { Revision } from '@tallybook/domain';
import {
  writeCredential,
  writeUser,
  type AccessChanges,
  type AccessRecord,
  type AccessStore,
  type Credential,
  type User,
} from '@tallybook/domain/access';
import { PostgresFacet } from '../database/postgres-facet.js';
import type { Transaction } from '../database/transaction.js';
import { ACCESS_SECRET, toAccessSecret, toCredential, toUser } from '../rows/access-rows.js';

interface AccessRow {
  readonly kind: 'user' | 'credential';
  readonly key: string;
  readonly body: string;
}

/** Users and credentials in one statement, so that both are of one moment. $1: site. */
const selectAll = `SELECT 'user' AS kind, name AS key, body FROM tallybook.account WHERE site = $1
  UNION ALL SELECT 'credential', id, body FROM tallybook.credential WHERE site = $1`;

/** $1: site, $2: names. */
const deleteUsers = 'DELETE FROM tallybook.account WHERE site = $1 AND name = ANY ($2::text[])';

/** $1: site, $2: ids. */
const deleteCredentials = 'DELETE FROM tallybook.credential WHERE site = $1 AND id = ANY ($2::text[])';

/** $1: site, $2: names, $3: bodies. */
const upsertUsers = `INSERT INTO tallybook.account (site, name, body)
  SELECT $1, t.name, t.body FROM unnest($2::text[], $3::text[]) AS t (name, body)
  ON CONFLICT (site, name) DO UPDATE SET body = excluded.body`;

/** $1: site, $2: ids, $3: bodies. */
const upsertCredentials = `INSERT INTO tallybook.credential (site, id, body)
  SELECT $1, t.id, t.body FROM unnest($2::text[], $3::text[]) AS t (id, body)
  ON CONFLICT (site, id) DO UPDATE SET body = excluded.body`;

/** Keeps users and credentials in PostgreSQL, a row each. */
export class PostgresAccessStore extends PostgresFacet implements AccessStore {
  async read(): Promise<AccessRecord> {
    const rows = await this.rows<AccessRow>(selectAll);
    // Sorted here: how a database sorts text depends on its locale.
    const sorted = [...rows].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
    const credentials = sorted.filter(({ kind }) => kind === 'credential');
    const secret = credentials.find(({ key }) => key === ACCESS_SECRET);
    return {
      users: sorted.flatMap(({ kind, key, body }) => (kind === 'user' ? [toUser(key, body)] : [])),
      credentials: credentials.flatMap((row) => (row === secret ? [] : [toCredential(row.key, row.body)])),
      ...(secret !== undefined && { secret: toAccessSecret(secret.body) }),
    };
  }

  change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
    const rows = Object.values(changes as Readonly<Record<string, readonly unknown[]>>).flat().length;
    return this.submit(changeAccess, { changes, expected }, rows);
  }

  revision(): Promise<Revision> {
    return this.revisionOf('access');
  }
}

/** The changes of one call. */
interface Request {
  readonly changes: AccessChanges;
  readonly expected: Revision | undefined;
}

/** The rows that must be written after several changes; `undefined`: the row is deleted. */
interface Due {
  readonly users: Map<string, User | undefined>;
  readonly credentials: Map<string, Credential | undefined>;
  secret: string | undefined;
}

async function changeAccess(
  transaction: Transaction,
  requests: readonly Request[],
): Promise<readonly (Revision | undefined)[]> {
  const due: Due = { users: new Map(), credentials: new Map(), secret: undefined };
  const before = String(transaction.row.accessRevision);
  let changed = 0;
  const isTaken = requests.map(({ changes, expected }) => {
    if (expected !== undefined && (changed > 0 || expected !== before)) return false;
    if (take(due, changes)) changed++;
    return true;
  });
  if (changed > 0) {
    await write(transaction, due.users, { remove: deleteUsers, put: upsertUsers, bodyOf: writeUser });
    await write(transaction, due.credentials, {
      remove: deleteCredentials,
      put: upsertCredentials,
      bodyOf: writeCredential,
    });
    if (due.secret !== undefined) {
      const body = JSON.stringify({ secret: due.secret });
      await transaction.write(upsertCredentials, [ACCESS_SECRET], [body]);
    }
    transaction.touch('access');
  }
  const after = String(transaction.row.accessRevision);
  // Several requests were changed together. Each gets a revision of its own, so that none takes the changes of the others for its
  // own.
  return isTaken.map((taken, index) => {
    if (!taken) return undefined;
    return changed > 1 ? `${after}.${index}` : after;
  });
}

/** Adds changes to the due rows. Returns whether there are any changes. */
function take(due: Due, changes: AccessChanges): boolean {
  const { removeUsers = [], removeCredentials = [], putUsers = [], putCredentials = [], secret } = changes;
  for (const name of removeUsers) due.users.set(name, undefined);
  for (const id of removeCredentials) due.credentials.set(id, undefined);
  for (const user of putUsers) due.users.set(user.name, user);
  for (const credential of putCredentials) due.credentials.set(credential.id, credential);
  due.secret = secret ?? due.secret;
  const count = removeUsers.length + removeCredentials.length + putUsers.length + putCredentials.length;
  return count > 0 || secret !== undefined;
}

async function write<T>(
  transaction: Transaction,
  due: ReadonlyMap<string, T | undefined>,
  {
    remove,
    put,
    bodyOf,
  }: { readonly remove: string; readonly put: string; readonly bodyOf: (value: T) => string },
): Promise<void> {
  const gone = [...due].filter(([, value]) => value === undefined).map(([key]) => key);
  const there = [...due].flatMap(([key, value]) =>
    value === undefined ? [] : [[key, bodyOf(value)] as const],
  );
  if (gone.length > 0) await transaction.write(remove, gone);
  if (there.length === 0) return;
  await transaction.write(
    put,
    there.map(([key]) => key),
    there.map(([, body]) => body),
  );
}
