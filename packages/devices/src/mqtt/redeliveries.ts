import { createHash } from 'node:crypto';

/** The properties that identify a message in MQTT. */
export interface Delivery {
  /** Number of the packet; free for another message after the acknowledgement. */
  readonly packetId: number;
  /** Whether the broker marks it as sent before. */
  readonly isRepeated: boolean;
  readonly topic: string;
  readonly payload: Uint8Array;
}

interface Handled {
  readonly fingerprint: string;
  readonly atConnectedMs: number;
  readonly handling: Promise<void>;
}

/** Older acknowledgements have arrived: a dead connection is noticed within this time. */
const DOUBT_MS = 120_000;
const MOST = 1_000;

/**
 * Recognises messages that were handled, but whose acknowledgement was lost with the connection, so that the broker
 * sends them again.
 *
 * The mark of a repeated message is not enough to drop it: a message lost on its way to us has the mark too. So a
 * repeated message is dropped only if the same message with the same number was handled shortly before the connection
 * was lost. Time counts only while connected, so an outage may take days.
 */
export class Redeliveries {
  /** Handled messages by the number of the packet, the earliest first. */
  readonly #handled = new Map<number, Handled>();
  #connectedMs = 0;
  #connectedSinceMs: number | undefined;

  connected(nowMs: number): void {
    this.#connectedSinceMs = nowMs;
  }

  lost(nowMs: number): void {
    this.#connectedMs = this.#connectedUntil(nowMs);
    this.#connectedSinceMs = undefined;
  }

  /** The earlier handling of this message; `undefined` if there was none. */
  find(delivery: Delivery, nowMs: number): Promise<void> | undefined {
    const handled = this.#handled.get(delivery.packetId);
    if (!delivery.isRepeated || handled === undefined) return undefined;
    if (this.#connectedUntil(nowMs) - handled.atConnectedMs > DOUBT_MS) return undefined;
    return handled.fingerprint === fingerprintOf(delivery) ? handled.handling : undefined;
  }

  /** Records a message that is being handled. If the handling fails, the message is forgotten. */
  note(delivery: Delivery, handling: Promise<void>, nowMs: number): void {
    const { packetId } = delivery;
    const atConnectedMs = this.#connectedUntil(nowMs);
    const handled = { fingerprint: fingerprintOf(delivery), atConnectedMs, handling };
    this.#handled.delete(packetId);
    this.#handled.set(packetId, handled);
    for (const [earliest] of this.#handled) {
      if (this.#handled.size <= MOST) break;
      this.#handled.delete(earliest);
    }
    handling.catch(() => {
      if (this.#handled.get(packetId) === handled) this.#handled.delete(packetId);
    });
  }

  #connectedUntil(nowMs: number): number {
    return this.#connectedMs + (this.#connectedSinceMs === undefined ? 0 : nowMs - this.#connectedSinceMs);
  }
}

function fingerprintOf({ topic, payload }: Delivery): string {
  return createHash('sha256').update(topic).update('\0').update(payload).digest('base64');
}
