import { ManagedResource, type Journal, type StampSource, type Timekeeper } from '@tallybook/domain';

export interface NameClockParts {
  readonly timekeeper: Timekeeper;
  readonly journal: Pick<Journal, 'origin'>;
  /** Whether a time that is not trusted counts too: at a centre nobody else stamps what was changed there. */
  readonly takesAnyTime: boolean;
}

/** Stamps changes of names with the time of this service. Open it after the journal, and before anybody can change names. */
export class NameClock extends ManagedResource implements StampSource {
  readonly #parts: () => NameClockParts;
  #node = '';

  /** @param parts Asked when they are needed: the store that stamps is made before its journal. */
  constructor(parts: () => NameClockParts) {
    super();
    this.#parts = parts;
  }

  get node(): string {
    return this.#node;
  }

  now(): number | undefined {
    const { timekeeper, takesAnyTime } = this.#parts();
    return takesAnyTime || timekeeper.trust().isTrusted ? timekeeper.now() * 1_000 : undefined;
  }

  protected override async onOpen(): Promise<void> {
    this.#node = await this.#parts().journal.origin();
  }

  protected override onClose(): Promise<void> {
    return Promise.resolve();
  }
}
