import type { Answer } from '../../parts/answer-sign.js';

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
