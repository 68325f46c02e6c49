import {
  createReading,
  Emitter,
  isTallybookError,
  ManagedResource,
  parseReadId,
  TallybookError,
  type Clock,
  type IdSource,
  type ReaderConnection,
  type ReaderFault,
  type Reading,
  type Subscribable,
} from '@tallybook/domain';

/** A reader that a test controls: the test presents tags, sends noise, and pulls the cable. */
export class ScriptedIdSource extends ManagedResource implements IdSource {
  readonly name: string;
  readonly readings: Subscribable<Reading>;
  readonly faults: Subscribable<ReaderFault>;
  readonly connections: Subscribable<ReaderConnection>;
  readonly #readings = new Emitter<Reading>();
  readonly #faults = new Emitter<ReaderFault>();
  readonly #connections = new Emitter<ReaderConnection>();
  readonly #clock: Clock;
  #connection: ReaderConnection = 'waiting';
  #isPlugged = true;

  constructor(clock: Clock, name = 'scripted') {
    super();
    this.#clock = clock;
    this.name = name;
    this.readings = this.#readings;
    this.faults = this.#faults;
    this.connections = this.#connections;
  }

  get connection(): ReaderConnection {
    return this.#connection;
  }

  /** Presents a tag. Text that is no id is a fault, as on a real reader. */
  present(id: string): void {
    if (this.#connection !== 'connected') return;
    try {
      this.#readings.emit(createReading(this.#clock, this.name, parseReadId(id)));
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      this.#faults.emit({ reader: this.name, error });
    }
  }

  /** Pulls the cable. */
  unplug(): void {
    if (!this.#isPlugged) return;
    this.#isPlugged = false;
    if (this.status === 'open') this.#lose();
  }

  /** Puts the cable back. */
  plug(): void {
    this.#isPlugged = true;
    if (this.status === 'open') this.#connect('connected');
  }

  protected override onOpen(): Promise<void> {
    if (this.#isPlugged) this.#connect('connected');
    else this.#lose();
    return Promise.resolve();
  }

  protected override onClose(): Promise<void> {
    this.#connection = 'waiting';
    return Promise.resolve();
  }

  #lose(): void {
    const error = new TallybookError('READER_DISCONNECTED', `${this.name} is not plugged in`);
    this.#faults.emit({ reader: this.name, error });
    this.#connect('waiting');
  }

  #connect(connection: ReaderConnection): void {
    if (this.#connection === connection) return;
    this.#connection = connection;
    this.#connections.emit(connection);
  }
}
