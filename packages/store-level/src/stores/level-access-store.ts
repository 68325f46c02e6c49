import type { Revision } from '@tallybook/domain';
import type { AccessChanges, AccessRecord, AccessStore } from '@tallybook/domain/access';
import type { StoredRow } from './level-view.js';
import { LevelFacet } from '../database/level-database.js';
import { decodeRow } from '../rows/codec.js';
import { decodeInTurns } from '../queries/decode-in-turns.js';
import { CREDENTIAL, USER } from '../rows/keys.js';
import { unseal } from '../rows/seal.js';
import {
  accessSecretKey,
  credentialRows,
  decodeAccessSecret,
  encodeAccessSecret,
  userRows,
  type AccessRows,
} from '../rows/service/access-rows.js';
import { accessRange } from '../rows/service/service-keys.js';

/** The subject of the revisions of {@link LevelAccessStore}. */
const ACCESS = 'access';

/** Keeps users and credentials in LevelDB, a row each. While it is open no other process can write. */
export class LevelAccessStore extends LevelFacet implements AccessStore {
  read(): Promise<AccessRecord> {
    return this.query(async (level) => {
      // The rows of credentials follow those of users, so one call reads both as they are at one moment.
      const rows = await level.iterator(accessRange).all();
      const isSecret = ([key]: StoredRow): boolean => key.equals(accessSecretKey);
      const [secret] = rows
        .filter(isSecret)
        .map(([key, value]) => decodeRow(key, () => decodeAccessSecret(unseal(key, value))));
      return {
        users: await decodeAll(
          userRows,
          rows.filter(([key]) => key[0] === USER),
        ),
        credentials: await decodeAll(
          credentialRows,
          rows.filter((row) => row[0][0] === CREDENTIAL && !isSecret(row)),
        ),
        ...(secret !== undefined && { secret }),
      };
    });
  }

  change(changes: AccessChanges, expected?: Revision): Promise<Revision | undefined> {
    const gone = [
      ...(changes.removeUsers ?? []).map(userRows.keyOf),
      ...(changes.removeCredentials ?? []).map(credentialRows.keyOf),
    ];
    const put = [
      ...(changes.putUsers ?? []).map((user) => rowOf(userRows, user.name, user)),
      ...(changes.putCredentials ?? []).map((each) => rowOf(credentialRows, each.id, each)),
      ...(changes.secret === undefined
        ? []
        : [{ key: accessSecretKey, value: encodeAccessSecret(changes.secret) }]),
    ];
    return this.database.run(async () => {
      const { revisions } = this.database.handle;
      // Not by `rows.touch`: the returned revision must not cover a later write of the same group.
      let settle = (): void => undefined;
      try {
        const isFirst = await this.database.write({
          keys: [...gone, ...put.map(({ key }) => key)],
          decide: (rows) => {
            if (expected !== undefined && expected !== revisions.of(ACCESS)) return false;
            for (const key of gone) rows.delete(key);
            for (const { key, value } of put) rows.put(key, value);
            if (rows.hasChanged) settle = revisions.begin(ACCESS);
            return true;
          },
        });
        if (!isFirst) return undefined;
      } finally {
        settle();
      }
      return revisions.of(ACCESS);
    });
  }

  revision(): Promise<Revision> {
    return this.revisionOf(ACCESS);
  }
}

function rowOf<T>(
  { keyOf, encode }: AccessRows<T>,
  id: string,
  item: T,
): { readonly key: Buffer; readonly value: Buffer } {
  return { key: keyOf(id), value: encode(item) };
}

function decodeAll<T>({ decode }: AccessRows<T>, rows: readonly StoredRow[]): Promise<readonly T[]> {
  return decodeInTurns(rows, ([key, value]) => decodeRow(key, () => decode(key, unseal(key, value))));
}
