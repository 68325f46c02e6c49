export { ObservableIdSource } from './observable-id-source.js';
export { parseDuration } from './parse-duration.js';
export { createReader, readerSchemes, type ReaderDependencies } from './reader-registry.js';
export { retryDelayMs } from './retry-delay.js';
export type { DecodedFrame, FrameDecoder } from './serial/frame-decoder.js';
export { Rdm6300Decoder, type Rdm6300Options } from './serial/rdm6300-decoder.js';
export { SerialIdSource, type SerialOptions } from './serial/serial-id-source.js';
export { SimulatedIdSource, type SimulatedOptions } from './simulated/simulated-id-source.js';
export { StdinIdSource, type StdinOptions } from './stdin/stdin-id-source.js';
