import {
  invalidMessage,
  parseMessage,
  splitTexts,
  textsOf,
  type ReadTag,
  type PayloadReader,
} from './message-texts.js';

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
function readEsphomePayload(payload: string): readonly ReadTag[] {
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
function readTasmotaPayload(payload: string): readonly ReadTag[] {
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

/** Names of the kinds of payloads in a URL. */
export type PayloadName = 'plain' | 'tasmota' | 'esphome';

/** Finds tags in the messages of each kind of device. */
export const payloadReaders: Readonly<Record<PayloadName, PayloadReader>> = {
  // The id and nothing else, as it is spelled.
  plain: (message) => textsOf(message).map((text) => ({ text })),
  tasmota: readTasmotaPayload,
  esphome: (message) => textsOf(message).flatMap(readEsphomePayload),
};

export const payloadNames = Object.keys(payloadReaders) as readonly PayloadName[];
