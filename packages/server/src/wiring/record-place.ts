import { ManagedResource, TallybookError, type Journal } from '@tallybook/domain';
import { RECORD_ELSEWHERE } from '@tallybook/store-memory';

/** Notes in the journal of a storage that the record is in this storage again. Opened after the storage. */
export class RecordPlace extends ManagedResource {
  readonly #journal: Pick<Journal, 'position' | 'advance'>;

  constructor(journal: Pick<Journal, 'position' | 'advance'>) {
    super();
    this.#journal = journal;
  }

  protected override async onOpen(): Promise<void> {
    if (await isElsewhere(this.#journal)) await this.#journal.advance(RECORD_ELSEWHERE, 0);
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}

/** @throws {TallybookError} `STORE_UNAVAILABLE` if an app keeps its record in stores of its own, and only the rest here. */
export async function requireRecordHere(
  { journal }: { readonly journal: Pick<Journal, 'position'> },
  store: string,
): Promise<void> {
  if (!(await isElsewhere(journal))) return;
  throw new TallybookError(
    'STORE_UNAVAILABLE',
    `the record is not in ${store}, but in stores of the program that uses it: ask that program while it runs, as with GET /api/export`,
  );
}

async function isElsewhere(journal: Pick<Journal, 'position'>): Promise<boolean> {
  return ((await journal.position(RECORD_ELSEWHERE)) ?? 0) > 0;
}
