export {
  createIdFormat,
  type IdFormat,
  type IdFormatOptions,
  type InspectId,
  type TagTechnology,
} from './formats/id-format.js';
export { HttpIdSource, type HttpReaderOptions } from './http/http-id-source.js';
export { HidIdSource, type HidOptions } from './hid/hid-id-source.js';
export type { KeyboardLayoutName } from './hid/keyboard-layouts.js';
export { MqttIdSource, type MqttReaderOptions } from './mqtt/mqtt-id-source.js';
export type { JsonPayload } from './mqtt/json-payload.js';
export type { PayloadName } from './mqtt/mqtt-payloads.js';
export { ObservableIdSource } from './observable-id-source.js';
export { listPcscReaders } from './pcsc/list-pcsc-readers.js';
export { PcscIdSource, type PcscOptions } from './pcsc/pcsc-id-source.js';
export { createReader, readerSchemes, type ReaderDependencies } from './reader-registry.js';
export { findHolder } from './serial/find-holder.js';
export { guessProtocol, type ProtocolGuess } from './serial/decoders/guess-protocol.js';
export type { Em4100Options } from './serial/decoders/em4100-digits.js';
export type { DecodedFrame, FrameDecoder, Prompt } from './serial/decoders/frame-decoder.js';
export { Rdm6300Decoder } from './serial/decoders/rdm6300-decoder.js';
export { SerialIdSource, type SerialOptions } from './serial/serial-id-source.js';
export { frameDecoders } from './serial/serial-protocols.js';
export { SimulatedIdSource, type SimulatedOptions } from './simulated/simulated-id-source.js';
export { StdinIdSource, type StdinOptions } from './stdin/stdin-id-source.js';
export { WiegandIdSource, type WiegandOptions } from './wiegand/wiegand-id-source.js';
