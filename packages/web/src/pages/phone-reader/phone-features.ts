import type { Answer } from '../../parts/answer-sign.js';

/** The used part of Web NFC, which TypeScript's types of the browser do not have. */
interface TagReader extends EventTarget {
  scan(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Whether this browser reads tags. `insecure`: the page did not come over https; `missing`: the browser cannot. */
type NfcSupport = 'there' | 'insecure' | 'missing';

export function nfcSupport(): NfcSupport {
  if (readerClass() !== undefined) return 'there';
  return isSecureContext ? 'missing' : 'insecure';
}

/**
 * Reads tags until the signal ends it. Call it on a click: the browser asks for permission.
 *
 * @param onTag Called with the serial number, such as `04:a2:b3:c4:d5`; empty if the tag has none.
 * @param onUnreadable Called for a tag of a kind that the phone cannot read.
 */
export async function scanTags(
  onTag: (serial: string) => void,
  onUnreadable: () => void,
  signal: AbortSignal,
): Promise<void> {
  const Reader = readerClass();
  if (Reader === undefined) throw new DOMException('there is no Web NFC', 'NotSupportedError');
  const reader = new Reader();
  reader.addEventListener('reading', (event) => {
    onTag((event as Event & { readonly serialNumber: string }).serialNumber);
  });
  reader.addEventListener('readingerror', onUnreadable);
  await reader.scan({ signal });
}

function readerClass(): (new () => TagReader) | undefined {
  return (window as { readonly NDEFReader?: new () => TagReader }).NDEFReader;
}

/** Keeps the screen on: a phone reads no tags when it is off. Does nothing if the browser cannot. */
export function keepAwake(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const isLeft = (): boolean => signal.aborted;
  let lock: WakeLockSentinel | undefined;
  const request = async (): Promise<void> => {
    if (isLeft() || document.visibilityState === 'hidden' || !('wakeLock' in navigator)) return;
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
    if (isLeft()) await lock?.release();
  };
  // The browser ends this while the page is hidden.
  const again = (): void => void request();
  document.addEventListener('visibilitychange', again, { signal });
  void request();
  return () => {
    leaving.abort();
    void lock?.release();
  };
}

/** Frequencies in hertz, and the vibration in milliseconds on and off. */
const sounds: Readonly<Record<Answer, readonly [hertz: readonly number[], shake: readonly number[]]>> = {
  welcome: [[880], [80]],
  again: [
    [880, 880],
    [60, 60, 60],
  ],
  unknown: [
    [880, 587],
    [60, 60, 60],
  ],
  waiting: [
    [880, 587],
    [60, 60, 60],
  ],
  refused: [[196], [400]],
};
const TONE_SECONDS = 0.12;

let context: AudioContext | undefined;

/** Gives the answer to a tap by sound and vibration. Call it first on a click: only then does a browser allow sound. */
export function playAnswer(answer: Answer | 'none'): void {
  if ('AudioContext' in window) context ??= new AudioContext();
  if (answer === 'none') return;
  const [tones, shake] = sounds[answer];
  if ('vibrate' in navigator) navigator.vibrate([...shake]);
  tones.forEach((hertz, index) => playTone(hertz, index * TONE_SECONDS * 1.5));
}

function playTone(hertz: number, delaySeconds: number): void {
  if (context?.state !== 'running') return;
  const tone = context.createOscillator();
  const volume = context.createGain();
  const from = context.currentTime + delaySeconds;
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.3, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS);
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + TONE_SECONDS);
}
