import {
  createReading,
  isTallybookError,
  ManagedResource,
  parseReadId,
  quote,
  TallybookError,
  type Clock,
  type IdSource,
  type ReaderConnection,
  type ReaderFault,
  type Reading,
  type TallyId,
} from '@tallybook/domain';
import { Subject, type Observable } from 'rxjs';

const NAME = /^\P{Cc}{1,100}$/u;

/** The streams of an {@link IdSource}, silent while it is not open. What feeds them is up to the subclass. */
export abstract class ObservableIdSource extends ManagedResource implements IdSource {
  readonly name: string;
  readonly readings: Observable<Reading>;
  readonly faults: Observable<ReaderFault>;
  readonly connections: Observable<ReaderConnection>;
  protected readonly clock: Clock;
  readonly #readings = new Subject<Reading>();
  readonly #faults = new Subject<ReaderFault>();
  readonly #connections = new Subject<ReaderConnection>();
  #connection: ReaderConnection = 'waiting';

  /**
   * @param name 1 to 100 characters, none of them a control character.
   * @throws {TallybookError} `INVALID_OPTION` if it is anything else.
   */
  constructor(name: string, clock: Clock) {
    super();
    if (!NAME.test(name)) {
      throw new TallybookError(
        'INVALID_OPTION',
        `name is 1 to 100 characters without control characters; got ${quote(name)}`,
        { details: { parameter: 'name' } },
      );
    }
    this.name = name;
    this.clock = clock;
    this.readings = this.#readings.asObservable();
    this.faults = this.#faults.asObservable();
    this.connections = this.#connections.asObservable();
  }

  get connection(): ReaderConnection {
    return this.#isSilent ? 'waiting' : this.#connection;
  }

  /** Delivers a reading, stamped with the name and the time. */
  protected deliver(id: TallyId): void {
    if (!this.#isSilent) this.#readings.next(createReading(this.clock, this.name, id));
  }

  /** Delivers what the device says is an id, or reports that it is none. */
  protected deliverText(text: string): void {
    try {
      this.deliver(parseReadId(text));
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      this.report(error);
    }
  }

  protected report(error: TallybookError): void {
    if (!this.#isSilent) this.#faults.next({ reader: this.name, error });
  }

  protected setConnection(connection: ReaderConnection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    if (!this.#isSilent) this.#connections.next(connection);
  }

  get #isSilent(): boolean {
    return this.status === 'closed' || this.status === 'closing';
  }
}
