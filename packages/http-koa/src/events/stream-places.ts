import { counted } from '@tallybook/domain';
import { limitedOption, type Limits } from '../limited-option.js';
import { Places } from '../places.js';

export interface StreamLimits {
  /**
   * Largest number of simultaneous event streams of one client, 1..1000000, default 100. Programs on this machine have
   * no such limit.
   */
  readonly maxStreamsPerAddress?: number;
  /** Largest number of simultaneous event streams of one session or token, 1..1000000, default 20. */
  readonly maxStreamsPerSession?: number;
}

/** Minimum, maximum and default of each option. */
const streamLimits: Limits<StreamLimits> = {
  maxStreamsPerAddress: [1, 1_000_000, 100],
  maxStreamsPerSession: [1, 1_000_000, 20],
};

/** The client and the session of a stream. `undefined` is not counted. */
export interface StreamClient {
  readonly network: string | undefined;
  readonly session: string | undefined;
}

/** The reason why there is no place. */
export interface StreamRefusal {
  readonly limit: keyof StreamLimits;
  readonly detail: string;
}

/** Prevents one client, or one session, from taking the event streams of all others. */
export class StreamPlaces {
  readonly #perAddress: Places;
  readonly #perSession: Places;
  readonly #limits: Required<StreamLimits>;

  /** @throws {TallybookError} `INVALID_OPTION` if an option is out of range. */
  constructor(options: StreamLimits) {
    this.#limits = {
      maxStreamsPerAddress: limitedOption('maxStreamsPerAddress', options, streamLimits),
      maxStreamsPerSession: limitedOption('maxStreamsPerSession', options, streamLimits),
    };
    this.#perAddress = new Places(this.#limits.maxStreamsPerAddress);
    this.#perSession = new Places(this.#limits.maxStreamsPerSession);
  }

  /**
   * Takes a place. Returns a function that gives the place back; or, if there is none, the limit and the reason as
   * text.
   */
  take({ network, session }: StreamClient): (() => void) | StreamRefusal {
    const ofAddress = this.#perAddress.take(network);
    if (ofAddress === undefined) return this.#refusal('maxStreamsPerAddress', 'this address');
    const ofSession = this.#perSession.take(session);
    if (ofSession !== undefined) {
      return () => {
        ofAddress();
        ofSession();
      };
    }
    ofAddress();
    return this.#refusal('maxStreamsPerSession', 'this session or token');
  }

  #refusal(limit: keyof StreamLimits, who: string): StreamRefusal {
    return {
      limit,
      detail: `${who} has the maximum of ${counted(this.#limits[limit], 'event stream')}; close one`,
    };
  }
}
