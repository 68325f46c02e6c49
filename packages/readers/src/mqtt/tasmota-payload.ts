import { invalidMessage } from './invalid-message.js';
import { parseMessage, splitTexts } from './message-texts.js';
import type { ReadTag } from './mqtt-payload.js';

/**
 * The first reader in a message, and its tag; a further one may be written by a card, and is a fault. The JSON is not parsed: Tasmota copies the content of a card into it
 * unescaped (`Data`). So a card can break the JSON, or add a second `UID` with the UID of another card. The text before
 * `Data` comes from Tasmota itself.
 */
const TAG =
  /"(?<kind>RDM6300|PN532|RC522|Wiegand)"\s*:\s*\{\s*"UID"\s*:\s*(?:"(?<text>[^"]*)"|(?<number>[0-9]+))(?:\s*,\s*"Size"\s*:\s*(?<size>[0-9]+))?/;
const KINDS: readonly string[] = ['RDM6300', 'PN532', 'RC522', 'Wiegand'];
const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
/** Kinds of readers whose ids are UIDs of ISO/IEC 14443 type A. */
const UID_KINDS: readonly unknown[] = ['PN532', 'RC522'];
/** Number of bits that a keypad sends for a key. */
const KEY_SIZES: readonly number[] = [4, 8];
/** Number of bits of the formats that carry 3 bytes of an id, with or without parity bits. */
const THREE_BYTE_SIZES: readonly number[] = [24, 26];

/**
 * Reads the messages of Tasmota at `tele/…/SENSOR` and `tele/…/RESULT`:
 *
 * ```
 * {"Time":"…","RDM6300":{"UID":"008EC793"}}                 also PN532 and RC522, with more after the UID
 * {"Time":"…","Wiegand":{"UID":7748328,"Size":26}}          or "UID":"763AE8h"; Size 4 and 8 are keys of a keypad
 * {"SSerialReceived":"0006547886"}                          serial bridge: text, also several ids with line ends between
 * ```
 *
 * Everything else is telemetry. The time in a message is ignored, because the clock of the device may be wrong.
 *
 * @see xsns_51_rdm6300.ino, xsns_40_pn532.ino, xsns_80_mfrc522.ino, xsns_82_wiegand.ino and xdrv_08_serial_bridge.ino
 * of Tasmota 14.
 */
export function readTasmotaPayload(payload: string): readonly ReadTag[] {
  const found = TAG.exec(payload);
  if (found !== null) {
    const tags = readTag(found.groups ?? {}, payload);
    if (!TAG.test(payload.slice(found.index + found[0].length))) return tags;
    return [...tags, { fault: invalidMessage('the message has a further tag, which was not read', payload) }];
  }
  const message = parseMessage(payload);
  if (typeof message === 'string') return [{ fault: invalidMessage(message, payload) }];
  const [received] = message;
  if (KINDS.some((kind) => kind in received)) {
    return [{ fault: invalidMessage('the message names a reader, but no UID comes first', payload) }];
  }
  const text = 'SSerialReceived' in received ? received.SSerialReceived : undefined;
  if (typeof text !== 'string') return [];
  return splitTexts(text).map((piece) => ({ text: piece }));
}

function readTag(tag: Readonly<Record<string, string | undefined>>, payload: string): readonly ReadTag[] {
  const hex = tag['kind'] === 'Wiegand' ? readWiegand(tag) : tag['text'];
  if (hex === undefined) return [];
  if (!HEX.test(hex)) return [{ fault: invalidMessage('the UID is not hex', payload) }];
  return [{ bytes: Buffer.from(hex, 'hex'), isUid: UID_KINDS.includes(tag['kind']) }];
}

/** The id in hex; `undefined` for a key of a keypad. If the parity is wrong, the UID is 0, which is a blank id. */
function readWiegand({
  text,
  number,
  size,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  const bits = Number(size);
  if (KEY_SIZES.includes(bits)) return undefined;
  const value = text === undefined ? Number(number) : parseInt(text.replace(/h$/, ''), 16);
  return value.toString(16).padStart(THREE_BYTE_SIZES.includes(bits) ? 6 : 8, '0');
}
