import type { DecodedFrame } from '../src/index.js';

/** What a decoder says in short: ids and text as they are, faults as their codes. */
export function summarise(decoded: readonly DecodedFrame[]): string[] {
  return decoded.map((frame) => {
    if ('fault' in frame) return frame.fault.code;
    return 'id' in frame ? frame.id : frame.text;
  });
}

/** What is wrong, by the faults. */
export function problemsOf(decoded: readonly DecodedFrame[]): unknown[] {
  return decoded.flatMap((frame) => ('fault' in frame ? [frame.fault.details['problem']] : []));
}
