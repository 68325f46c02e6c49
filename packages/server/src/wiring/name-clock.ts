import { ManagedResource, type Journal, type Timekeeper } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';

export interface NameClockParts {
  readonly timekeeper: Pick<Timekeeper, 'now' | 'trust'>;
  readonly journal: Pick<Journal, 'origin'>;
  /** Whether an untrusted time is used too. At a centre it is, because nobody else stamps the changes made there. */
  readonly takesAnyTime: boolean;
}

/** Stamps changes of names with the time of this service. Open it after the journal, and before anybody can change names. */
export class NameClock extends ManagedResource implements StampSource {
  readonly #findParts: () => NameClockParts;
  #known: NameClockParts | undefined;
  #node = '';

  /** @param findParts Called once, when the parts are needed: the store that stamps is made before its journal. */
  constructor(findParts: () => NameClockParts) {
    super();
    this.#findParts = findParts;
  }

  get node(): string {
    return this.#node;
  }

  now(): number | undefined {
    const { timekeeper, takesAnyTime } = this.#parts;
    return takesAnyTime || timekeeper.trust().isTrusted ? timekeeper.now() * 1_000 : undefined;
  }

  get #parts(): NameClockParts {
    return (this.#known ??= this.#findParts());
  }

  protected override async onOpen(): Promise<void> {
    this.#node = await this.#parts.journal.origin();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}
