import { encodeGwiotFrame } from '../../packages/readers/test/gwiot-frame.js';
import { encodePn532Target } from '../../packages/readers/test/pn532-frames.js';
import { encodeFrame, encodeLongFrame } from '../../packages/readers/test/rdm6300-frame.js';

/** A tag as each protocol sends it: what must still be understood after noise. A new protocol is one more entry. */
export const soundFrames: Readonly<Record<string, { readonly id: string; readonly frame: Buffer }>> = {
  rdm6300: { id: 'FEED020001', frame: encodeFrame('FEED020001') },
  id12: { id: 'FEED020002', frame: encodeLongFrame('FEED020002') },
  em18: { id: 'FEED020003', frame: encodeFrame('FEED020003').subarray(1, -1) },
  '7941d': { id: 'FEED020004', frame: encodeGwiotFrame(0x02, 'FEED020004') },
  parallax: { id: 'FEED020005', frame: Buffer.from('\nFEED020005\r') },
  pn532: { id: 'FEED0206', frame: encodePn532Target('FEED0206') },
  lines: { id: 'FEED020007', frame: Buffer.from('FEED020007\r\n') },
};
