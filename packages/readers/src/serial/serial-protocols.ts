import { DeviceUrl, invalidOption } from '@tallybook/devices';
import { parseReadId } from '@tallybook/domain';
import { Em18Decoder, Rdm6300Decoder } from './decoders/em4100-decoders.js';
import { invalidFrame, type DecodedFrame, type FrameDecoder } from './decoders/frame-decoder.js';
import { GwiotDecoder } from './decoders/gwiot-decoder.js';
import { LineDecoder, LinePattern, takeLine, type MatchName } from './decoders/line-decoder.js';
import { Pn532Decoder } from './decoders/pn532-decoder.js';

/** Decoder and defaults of a protocol. */
interface ProtocolOptions {
  readonly createDecoder: () => FrameDecoder;
  readonly baudRate: number;
  readonly confirm: number;
}

const PARALLAX_DIGITS = /^[0-9a-f]{10}$/i;

/**
 * The protocols by their names in the URL. Each reads its own parameters. A new protocol is one more entry.
 *
 * By default, two equal frames are needed where one frame is no proof of a tag: for RDM6300 modules, and where no
 * checksum shows missing or moved digits. The other readers may send a tag only once.
 */
const protocols = {
  rdm6300: (url) => ({ ...readEm4100(url, Rdm6300Decoder), confirm: 2 }),
  id12: (url) => readEm4100(url, Rdm6300Decoder),
  em18: (url) => ({ ...readEm4100(url, Em18Decoder), confirm: 2 }),
  '7941d': () => ({ createDecoder: () => new GwiotDecoder(), baudRate: 9_600, confirm: 1 }),
  parallax: () => ({
    createDecoder: () => new LineDecoder(takeParallax),
    baudRate: 2_400,
    confirm: 2,
  }),
  pn532: () => ({ createDecoder: () => new Pn532Decoder(), baudRate: 115_200, confirm: 1 }),
  lines: (url) => {
    const text = url.text('pattern');
    const match = url.choice('match', ['whole', 'part'] satisfies MatchName[]);
    if (match !== undefined && text === undefined) {
      throw invalidOption('match needs a pattern; set pattern too', 'match');
    }
    const pattern = text === undefined ? undefined : new LinePattern(text, match);
    return {
      createDecoder: () => new LineDecoder((line) => takeLine(line, pattern), match === 'part'),
      baudRate: 9_600,
      confirm: 1,
    };
  },
} satisfies Record<string, (url: DeviceUrl) => ProtocolOptions>;

/** Reads the protocol of a reader from its URL; `rdm6300` by default. */
export function readProtocol(url: DeviceUrl): ProtocolOptions {
  const name = url.choice('protocol', Object.keys(protocols) as (keyof typeof protocols)[]);
  return protocols[name ?? 'rdm6300'](url);
}

/** Makes a decoder with the defaults of its protocol, by the name of the protocol, for other sources of bytes. */
export const frameDecoders: Readonly<Record<string, () => FrameDecoder>> = Object.freeze(
  Object.fromEntries(
    Object.keys(protocols).map((name) => [
      name,
      () => readProtocol(new DeviceUrl(`serial:?protocol=${name}`)).createDecoder(),
    ]),
  ),
);

function readEm4100(url: DeviceUrl, Decoder: typeof Rdm6300Decoder | typeof Em18Decoder): ProtocolOptions {
  const checksum = url.choice('checksum', ['drop', 'keep']);
  return { createDecoder: () => new Decoder({ checksum }), baudRate: 9_600, confirm: 1 };
}

function takeParallax(line: string): DecodedFrame {
  if (PARALLAX_DIGITS.test(line)) return { id: parseReadId(line) };
  return { fault: invalidFrame('a line of other than 10 hex digits', Buffer.from(line, 'latin1')) };
}
