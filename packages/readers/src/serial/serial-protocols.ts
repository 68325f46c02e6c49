import { ReaderUrl } from '../reader-url.js';
import type { FrameDecoder } from './frame-decoder.js';
import { Rdm6300Decoder } from './rdm6300-decoder.js';

/** How to understand a line, and what to assume where the URL says nothing. */
interface ProtocolOptions {
  readonly createDecoder: () => FrameDecoder;
  readonly baudRate: number;
  readonly confirm: number;
}

/** The protocols by the name in the URL, each reading the parameters of its own. A new one is one more entry. */
const protocols = {
  rdm6300: (url) => {
    const checksum = url.choice('checksum', ['drop', 'keep']);
    return { createDecoder: () => new Rdm6300Decoder({ checksum }), baudRate: 9_600, confirm: 2 };
  },
} satisfies Record<string, (url: ReaderUrl) => ProtocolOptions>;

/** Reads which protocol a reader speaks; `rdm6300` if its URL does not say. */
export function readProtocol(url: ReaderUrl): ProtocolOptions {
  const name = url.choice('protocol', Object.keys(protocols) as (keyof typeof protocols)[]);
  return protocols[name ?? 'rdm6300'](url);
}

/** Makes a decoder for a line that something else reads, by the name of its protocol, with its usual parameters. */
export const frameDecoders: Readonly<Record<string, () => FrameDecoder>> = Object.freeze(
  Object.fromEntries(
    Object.keys(protocols).map((name) => [
      name,
      () => readProtocol(new ReaderUrl(`serial:?protocol=${name}`)).createDecoder(),
    ]),
  ),
);
