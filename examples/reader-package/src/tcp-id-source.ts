import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Reconnection, type DeviceSession } from '@tallybook/devices';
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
} from '@tallybook/domain';

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

const STATUS = /^STATUS\s+/;

/** A door controller that sends lines over TCP: the id of each tag, and now and then `STATUS` and how it is. */
export class TcpIdSource extends ManagedResource implements IdSource {
  readonly kind = 'tcp';
  readonly name: string;
  readonly readings: Emitter<Reading> = new Emitter();
  readonly faults: Emitter<ReaderFault> = new Emitter();
  readonly connections: Emitter<ReaderConnection> = new Emitter();
  readonly #address: TcpAddress;
  readonly #clock: Clock;
  readonly #reconnection: Reconnection;
  #connection: ReaderConnection = 'waiting';
  #trouble: string | undefined;

  constructor(name: string, address: TcpAddress, clock: Clock, retryDelayMs?: (attempt: number) => number) {
    super();
    this.name = name;
    this.#address = address;
    this.#clock = clock;
    this.#reconnection = new Reconnection({
      connect: (signal) => this.#connect(signal),
      onConnected: () => this.#setConnection('connected'),
      onWaiting: (fault) => {
        if (fault !== undefined) this.#report(fault);
        this.#setConnection('waiting');
      },
      retryDelayMs,
    });
  }

  get connection(): ReaderConnection {
    return this.status === 'open' || this.status === 'opening' ? this.#connection : 'waiting';
  }

  /** What the controller says is wrong with it; `undefined` if it is well, or has said nothing since it was connected. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  protected override async onOpen(): Promise<void> {
    await this.#reconnection.open();
  }

  protected override async onClose(): Promise<void> {
    await this.#reconnection.close();
    this.#connection = 'waiting';
  }

  async #connect(signal: AbortSignal): Promise<DeviceSession> {
    const socket = connect(this.#address);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    // Each error is followed by a close.
    let reason = 'it closed the connection';
    socket.on('error', (error) => (reason = error.message));
    try {
      await once(socket, 'connect', { signal });
    } catch (cause) {
      socket.destroy();
      throw this.#lost(reason, cause);
    }
    this.#trouble = undefined;
    const lines = createInterface({ input: socket.setKeepAlive(true, 10_000) });
    lines.on('line', (line) => this.#take(line.trim()));
    return {
      lost: closed.then(() => this.#lost(reason)),
      end: () => {
        lines.close();
        socket.destroy();
        return closed;
      },
    };
  }

  #take(line: string): void {
    if (STATUS.test(line)) {
      const said = line.replace(STATUS, '');
      this.#trouble = said === 'ok' ? undefined : said;
      return;
    }
    try {
      this.readings.emit(createReading(this.#clock, this.name, parseReadId(line)));
    } catch (error) {
      if (!isTallybookError(error)) throw error;
      this.#report(error);
    }
  }

  #lost(reason: string, cause?: unknown): TallybookError {
    const { host, port } = this.#address;
    return new TallybookError('READER_DISCONNECTED', `the controller at ${host}:${port} is lost: ${reason}`, {
      cause,
      details: { reason: 'lost' },
    });
  }

  #report(error: TallybookError): void {
    this.faults.emit({ reader: this.name, error });
  }

  #setConnection(connection: ReaderConnection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.connections.emit(connection);
  }
}
