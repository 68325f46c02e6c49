import { invalidMessage } from './invalid-message.js';
import type { ReadTag } from './mqtt-payload.js';

const UID = /^[0-9A-F]{2}(?:-[0-9A-F]{2})+$/i;
const NUMBER = /^[0-9]{1,13}$/;
const LARGEST = 2 ** 40 - 1;

/**
 * Reads the `x` of ESPHome's triggers, as a lambda publishes it:
 *
 * ```
 * on_tag of pn532, rc522:     74-10-37-94     a UID
 * on_tag of rdm6300, wiegand: 6547886         the number of the card: 4 bytes, or 5 if it does not fit into 4
 * ```
 */
export function readEsphomePayload(payload: string): readonly ReadTag[] {
  if (UID.test(payload)) return [{ bytes: Buffer.from(payload.replaceAll('-', ''), 'hex'), isUid: true }];
  const number = NUMBER.test(payload) ? Number(payload) : Infinity;
  if (number > LARGEST) {
    return [
      { fault: invalidMessage('the message is neither a UID such as 74-10-37-94 nor a number', payload) },
    ];
  }
  const digits = number < 2 ** 32 ? 8 : 10;
  return [{ bytes: Buffer.from(number.toString(16).padStart(digits, '0'), 'hex'), isUid: false }];
}
