/**
 * The used part of `pcsc-mini`, in types of our own: this package must compile even where `pcsc-mini` is not installed.
 */
export interface Pcsc {
  readonly Client: new () => PcscClient;
  readonly CardMode: { readonly SHARED: number };
  readonly CardDisposition: { readonly LEAVE: number };
  readonly ReaderStatus: { readonly PRESENT: number; readonly MUTE: number };
}

export interface PcscClient {
  /** Throws if pcscd cannot be reached. */
  start(): unknown;
  /** Throws if pcscd is gone. */
  stop(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'reader', listener: (reader: PcscReader) => void): unknown;
  removeAllListeners(): unknown;
}

export interface PcscReader {
  name(): string;
  on(event: 'change', listener: (status: PcscStatus) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
  connect(mode: number): Promise<PcscCard>;
}

/** The state of a reader: flags, and in the upper half the number of arrivals and departures of cards. */
interface PcscStatus {
  readonly raw: number;
  has(...flags: readonly number[]): boolean;
}

interface PcscCard {
  transmit(command: Uint8Array): Promise<Uint8Array>;
  disconnect(disposition: number): Promise<unknown>;
}
