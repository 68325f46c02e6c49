import { checkName } from '@tallybook/devices';
import {
  createReading,
  isTallybookError,
  ManagedResource,
  TallybookError,
  type Clock,
  type IdFormat,
  type IdFormatOptions,
  type IdSource,
  type InspectId,
  type ReaderConnection,
  type ReaderFault,
  type Reading,
  type TallyId,
} from '@tallybook/domain';
import { Subject, type Observable } from 'rxjs';
import { createIdFormat, isRandomUid, refusePartOfUid } from './formats/id-format.js';

const HOUR_MS = 3_600_000;

/** The streams of an {@link IdSource}, silent while it is not open. The subclass feeds them. */
export abstract class ObservableIdSource extends ManagedResource implements IdSource {
  readonly name: string;
  readonly kind?: string;
  readonly caution?: string | undefined;
  protected readonly clock: Clock;
  protected readonly format: IdFormat;
  readonly #raws = new Subject<string>();
  readonly #readings = new Subject<Reading>();
  readonly #faults = new Subject<ReaderFault>();
  readonly #connections = new Subject<ReaderConnection>();
  readonly readings: Observable<Reading> = this.#readings.asObservable();
  readonly faults: Observable<ReaderFault> = this.#faults.asObservable();
  readonly connections: Observable<ReaderConnection> = this.#connections.asObservable();
  /**
   * Raw data of the device, as text or as bytes in hex, before it becomes an id. It shows how the device spells ids.
   */
  readonly raws: Observable<string> = this.#raws.asObservable();
  #connection: ReaderConnection = 'waiting';
  #isLossReported = false;
  #toldOfRandomUidMs = -Infinity;

  /**
   * @param name 1 to 100 characters, none of them a control character.
   * @param format Makes ids of the data of the device. Default: hex, unchanged.
   * @throws {TallybookError} `INVALID_OPTION` if `name` is invalid.
   */
  constructor(name: string, clock: Clock, format: IdFormat = createIdFormat()) {
    super();
    this.name = checkName(name);
    this.clock = clock;
    const { technology } = format;
    const always = technology === 'iso14443' ? this.inspectUid : undefined;
    this.format = {
      options: format.options,
      technology,
      fromText: (text, inspect = always) => {
        this.#raws.next(text);
        return format.fromText(text, inspect);
      },
      fromBytes: (bytes, inspect = always) => {
        if (this.#raws.observed) this.#raws.next(Buffer.from(bytes).toString('hex').toUpperCase());
        return format.fromBytes(bytes, inspect);
      },
    };
  }

  get idFormat(): IdFormatOptions {
    return this.format.options;
  }

  get connection(): ReaderConnection {
    return this.#isSilent ? 'waiting' : this.#connection;
  }

  /** Delivers a reading, stamped with the name and the time. */
  protected deliver(id: TallyId): void {
    if (!this.#isSilent) this.#readings.next(this.stamp(id));
  }

  /** Makes a reading of an id. */
  protected stamp(id: TallyId): Reading {
    return createReading(this.clock, this.name, id);
  }

  /** Delivers the id of a text of the device, without white space around it, or reports a fault. */
  protected deliverText(text: string): void {
    const id = this.read(() => this.format.fromText(text));
    if (id !== undefined) this.deliver(id);
  }

  /** Delivers the id of bytes of the device, or reports a fault. */
  protected deliverBytes(bytes: Uint8Array): void {
    const id = this.read(() => this.format.fromBytes(bytes));
    if (id !== undefined) this.deliver(id);
  }

  /** Delivers the UID of an ISO/IEC 14443 tag like {@link deliverBytes}, and checks it with {@link inspectUid}. */
  protected deliverUid(uid: Uint8Array): void {
    const id = this.read(() => this.format.fromBytes(uid, this.inspectUid));
    if (id !== undefined) this.deliver(id);
  }

  /** Makes an id of the data of the device, or reports a fault. */
  protected read(
    parse: () => TallyId,
    report = (error: TallybookError): void => {
      this.report(error);
    },
  ): TallyId | undefined {
    try {
      return parse();
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      report(error);
      return undefined;
    }
  }

  /**
   * Checks a UID of ISO/IEC 14443, as the `inspect` of {@link IdFormat}. Refuses a UID that is only the first part of a
   * longer one. Reports a random UID, which changes with each tap, at most once an hour.
   */
  protected readonly inspectUid: InspectId = (uid) => {
    refusePartOfUid(uid);
    if (!isRandomUid(uid)) return;
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.#toldOfRandomUidMs < HOUR_MS) return;
    this.#toldOfRandomUidMs = nowMs;
    const message =
      'the id of a tag begins with 08, so it is random and changes with each tap, as with phones; use another tag';
    this.report(new TallybookError('UNSTABLE_TALLY_ID', message));
  };

  protected report(error: TallybookError): void {
    if (error.code === 'READER_DISCONNECTED') this.#isLossReported = true;
    if (!this.#isSilent) this.#faults.next({ reader: this.name, error });
  }

  /**
   * Sets the connection. A lost device is a fault, `READER_DISCONNECTED`, unless the subclass has reported one since it was
   * connected.
   *
   * @param isReported Whether the loss was reported in another way.
   */
  protected setConnection(connection: ReaderConnection, isReported = false): void {
    if (connection === this.#connection) return;
    if (connection === 'waiting' && !isReported && !this.#isLossReported) {
      this.report(new TallybookError('READER_DISCONNECTED', 'the device is lost'));
    }
    this.#isLossReported = false;
    this.#connection = connection;
    if (!this.#isSilent) this.#connections.next(connection);
  }

  get #isSilent(): boolean {
    return this.status === 'closed' || this.status === 'closing';
  }
}
