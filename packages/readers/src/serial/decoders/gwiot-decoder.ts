import { parseReadId } from '@tallybook/domain';
import { decoded, type DecodedFrame, type FrameDecoder } from './frame-decoder.js';
import { FRAME_SILENCE_MS, FramedByLength, type Piece } from './framed-by-length.js';

const STX = 0x02;
const ETX = 0x03;
/** Bytes of a frame besides the id: STX, length, type, XOR, ETX. */
const OVERHEAD = 5;
const SHORTEST = OVERHEAD + 3;
const LONGEST = OVERHEAD + 10;
/** MIFARE 1K and 4K; the other types differ from module to module. */
const UID_TYPES: readonly (number | undefined)[] = [0x01, 0x03];

/**
 * Decodes the frames that 7941D and 7941E modules ("IC+EM") send unasked:
 *
 * ```
 * STX  length of all  type (01 MIFARE, 02 EM4100)  id              XOR of all between  ETX
 *  02  0A             02                           2E 00 B6 D7 B5  F2                  03
 * ```
 *
 * @see The sellers' data sheet of the 7941D, which has the example. The 7941W has another protocol.
 */
export class GwiotDecoder implements FrameDecoder {
  readonly silenceMs: number = FRAME_SILENCE_MS;
  readonly #frames = new FramedByLength(measure);

  push(chunk: Uint8Array): readonly DecodedFrame[] {
    return Array.from(this.#frames.push(chunk), take);
  }

  silence(): readonly DecodedFrame[] {
    return Array.from(this.#frames.silence(), take);
  }
}

function take(piece: Piece): DecodedFrame {
  return 'fault' in piece ? piece : decode(piece.frame);
}

function measure(bytes: Buffer): number | undefined {
  if (bytes[0] !== STX) return undefined;
  const length = bytes[1];
  if (length === undefined) return Infinity;
  if (length < SHORTEST || length > LONGEST) return undefined;
  if (bytes.length < length) return Infinity;
  const sum = bytes.subarray(1, length - 1).reduce((xor, byte) => xor ^ byte, 0);
  return sum === 0 && bytes[length - 1] === ETX ? length : undefined;
}

function decode(frame: Buffer): DecodedFrame {
  return decoded(() => ({
    id: parseReadId(frame.toString('hex', 3, frame.length - 2)),
    isUid: UID_TYPES.includes(frame[2]),
  }));
}
