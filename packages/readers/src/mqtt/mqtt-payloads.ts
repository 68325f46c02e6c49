import { readEsphomePayload } from './esphome-payload.js';
import { textsOf } from './message-texts.js';
import type { PayloadReader } from './mqtt-payload.js';
import { readTasmotaPayload } from './tasmota-payload.js';

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
