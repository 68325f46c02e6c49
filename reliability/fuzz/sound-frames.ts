import { encodeFrame } from '../../packages/readers/test/rdm6300-frame.js';

/** A tag as each protocol sends it: what must still be understood after noise. A new protocol is one more entry. */
export const soundFrames: Readonly<Record<string, { readonly id: string; readonly frame: Buffer }>> = {
  rdm6300: { id: 'FEED020001', frame: encodeFrame('FEED020001') },
};
