import { encodeGwiotFrame } from '../../../packages/readers/test/serial/decoders/gwiot-frame.js';
import { encodePn532Target } from '../../../packages/readers/test/serial/decoders/pn532-frames.js';
import {
  encodeFrame,
  encodeLongFrame,
} from '../../../packages/readers/test/serial/decoders/rdm6300-frame.js';

/** A tag and its frame in each protocol: the frame must still be read after noise. A new protocol needs an entry. */
export const soundFrames: Readonly<Record<string, { readonly id: string; readonly frame: Buffer }>> = {
  rdm6300: { id: 'ACCE550001', frame: encodeFrame('ACCE550001') },
  id12: { id: 'ACCE550002', frame: encodeLongFrame('ACCE550002') },
  em18: { id: 'ACCE550003', frame: encodeFrame('ACCE550003').subarray(1, -1) },
  '7941d': { id: 'ACCE550004', frame: encodeGwiotFrame(0x02, 'ACCE550004') },
  parallax: { id: 'ACCE550005', frame: Buffer.from('\nACCE550005\r') },
  pn532: { id: 'ACCE5506', frame: encodePn532Target('ACCE5506') },
  lines: { id: 'ACCE550007', frame: Buffer.from('ACCE550007\r\n') },
};
