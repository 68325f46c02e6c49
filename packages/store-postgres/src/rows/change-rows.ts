import { TallybookError, type Change } from '@tallybook/domain';
import { bytesOfId, idOfBytes } from './stored-values.js';

/**
 * Columns of a change, except its cursor and its time. Day and id have columns, so that changes are found when a day is removed
 * or a tag is erased.
 */
export interface ChangeColumns {
  readonly kind: string;
  readonly day: number | null;
  readonly id: Buffer | null;
  /** JSON of all other fields, as text: text can hold every character of a JSON string. */
  readonly body: string;
}

export function toColumns({ kind, ...rest }: Change): ChangeColumns {
  const {
    day = null,
    id,
    ...body
  } = rest as Partial<Record<string, unknown>> & {
    readonly day?: number;
    readonly id?: Parameters<typeof bytesOfId>[0];
  };
  return { kind, day, id: id === undefined ? null : bytesOfId(id), body: JSON.stringify(body) };
}

const kinds: Readonly<Record<Change['kind'], true>> = {
  ...{ scan: true, provisional: true, name: true, person: true, tag: true, group: true, carried: true },
  ...{ correction: true, day: true, erased: true, repaired: true },
};

/** @throws {TallybookError} `STORE_CORRUPT` */
export function toChange({ kind, day, id, body }: ChangeColumns, cursor: number): Change {
  // Of a server of a later version of this format: followers go on after it.
  if (!Object.hasOwn(kinds, kind)) return { kind: 'carried' };
  try {
    const rest = JSON.parse(body) as object;
    const change = {
      kind,
      ...(day !== null && { day }),
      ...(id !== null && { id: idOfBytes(id) }),
      // JSON leaves out what is `undefined`.
      ...(kind === 'scan' && { reader: undefined }),
      ...rest,
    };
    return change as unknown as Change;
  } catch (error) {
    throw new TallybookError('STORE_CORRUPT', `change ${cursor} of the journal is damaged`, { cause: error });
  }
}
