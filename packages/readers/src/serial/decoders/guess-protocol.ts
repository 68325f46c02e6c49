import { isTallybookError, parseTallyId } from '@tallybook/domain';
import { findDigitsProblem } from './em4100-decoders.js';
import type { FrameDecoder } from './frame-decoder.js';
import { GwiotDecoder } from './gwiot-decoder.js';

/** The probable protocol of a reader on a serial line. */
export interface ProtocolGuess {
  /** Description for people, such as "lines of 10 decimal digits". */
  readonly what: string;
  /** Parameters that the URL of the reader needs; `undefined` if this reader cannot be read. */
  readonly parameters: Readonly<Record<string, string>> | undefined;
}

type Sign = (text: string) => ProtocolGuess | undefined;

/** The tests for each protocol, the surest first. */
const SIGNS: readonly Sign[] = [
  findFramedDigits,
  find7941d,
  findParallax,
  findBareDigits,
  findCode,
  findLine,
];

/**
 * Guesses the protocol of a reader from bytes that it sent. They may be cut anywhere.
 *
 * @returns `undefined` if the bytes fit no known protocol: they are noise, or the baud rate is wrong.
 */
export function guessProtocol(bytes: Uint8Array): ProtocolGuess | undefined {
  const text = Buffer.from(bytes).toString('latin1');
  for (const sign of SIGNS) {
    const guess = sign(text);
    if (guess !== undefined) return guess;
  }
  return undefined;
}

const [STX, ETX] = ['\x02', '\x03'];
const FRAMED = new RegExp(`${STX}([0-9A-F]{12})([\r\n]*)${ETX}`, 'gi');

function findFramedDigits(text: string): ProtocolGuess | undefined {
  for (const [, digits = '', lineEnd] of text.matchAll(FRAMED)) {
    if (findDigitsProblem(digits) !== undefined) continue;
    return lineEnd === ''
      ? guess('frames of an RDM6300: 02, 12 hex digits with a right checksum, 03', { protocol: 'rdm6300' })
      : guess('frames of an ID-12: 02, 12 hex digits with a right checksum, a line end, 03', {
          protocol: 'id12',
        });
  }
  return undefined;
}

function find7941d(text: string): ProtocolGuess | undefined {
  const decoder: FrameDecoder = new GwiotDecoder();
  const frames = decoder.push(Buffer.from(text, 'latin1'), 0);
  if (!frames.some((frame) => 'id' in frame)) return undefined;
  return guess('frames of a 7941D: 02, a length, a type, an id with a right checksum, 03', {
    protocol: '7941d',
  });
}

function findParallax(text: string): ProtocolGuess | undefined {
  if (!/^(?:\n[0-9A-F]{10}\r)+(?:\n|$)/i.test(text)) return undefined;
  return guess('frames of a Parallax reader: 0A, 10 hex digits, 0D', { protocol: 'parallax' });
}

function findBareDigits(text: string): ProtocolGuess | undefined {
  const frames = /^[0-9A-F]+$/i.test(text) ? (text.match(/.{1,12}/g) ?? []) : [];
  if (frames.length === 0 || frames.some((digits) => findDigitsProblem(digits) !== undefined))
    return undefined;
  return guess('frames of an EM-18: 12 hex digits with a right checksum, and nothing around them', {
    protocol: 'em18',
  });
}

/** The formats of lines of decimal digits only. Lines in hex need no format. */
const FORMATS: readonly (readonly [pattern: RegExp, what: string, format: string])[] = [
  [/^[0-9]{10}$/, 'lines of 10 decimal digits', 'dec10'],
  [/^[0-9]{13}$/, 'lines of 13 decimal digits', 'dec13'],
  [/^[0-9]{3}[,.:/-][0-9]{5}$/, 'lines of 3 and 5 decimal digits', 'dec3-5'],
  [/^[0-9]{5}[,.:/-][0-9]{5}$/, 'lines of twice 5 decimal digits', 'dec5-5'],
];

/**
 * An id with other control characters around it than line ends and those of frames, as of a barcode scanner, or with
 * nothing after it. 12 hex digits are rather a frame with a wrong checksum.
 */
function findCode(text: string): ProtocolGuess | undefined {
  if (text.includes(STX) || /^[\t -~]*[\r\n][\t\r\n -~]*$/.test(text)) return undefined;
  const lines = text.split(/[\r\n]+/);
  const pieces = (lines.length > 1 ? lines.slice(0, -1) : lines).join('\r').split(/\p{Cc}+/u);
  const code = pieces.map((piece) => piece.trim()).findLast((piece) => piece !== '') ?? '';
  const [pattern, , format] = FORMATS.find(([each]) => each.test(code)) ?? [];
  if (pattern === undefined && (!isHex(code) || code.length === 12)) return undefined;
  return guess('ids with control characters or nothing around them instead of line ends', {
    protocol: 'lines',
    pattern: pattern?.source.slice(1, -1) ?? patternOf(code),
    match: 'part',
    ...(format === undefined ? {} : { format }),
  });
}

/** An id in hex with other text around it. */
const WITHIN = /^(.*?)((?:[0-9A-F]{2}[ :-]){2,9}[0-9A-F]{2}|(?:[0-9A-F]{2}){3,10})(?![0-9A-F])(.*)$/i;

function findLine(text: string): ProtocolGuess | undefined {
  if (!/^[\t\r\n -~]+$/.test(text)) return undefined;
  // The first line may have begun before the listening, and the last line has not ended.
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const line = lines.slice(0, -1).findLast((each) => each !== '');
  if (line === undefined) {
    return { what: 'text without line ends; set the reader to end it with CR or LF', parameters: undefined };
  }
  if (findDigitsProblem(line) === undefined) {
    return guess('lines of 12 hex digits with a right checksum', { protocol: 'lines', format: 'hex-xor' });
  }
  for (const [pattern, what, format] of FORMATS) {
    if (pattern.test(line)) return guess(what, { protocol: 'lines', format });
  }
  if (isHex(line)) return guess('lines of an id in hex', { protocol: 'lines' });
  const [, before = '', id, after = ''] = WITHIN.exec(line) ?? [];
  if (id === undefined)
    return guess('lines of text, if it is another one for each tag', { protocol: 'lines', format: 'text' });
  const pattern = `^${escapePattern(before)}(${patternOf(id)})${escapePattern(after)}$`;
  const bytes = id.replace(/[ :-]/g, '').length / 2;
  return guess(`lines with an id of ${bytes} bytes in hex and something around it`, {
    protocol: 'lines',
    pattern,
  });
}

/** Matches ids of this length only, so a line that lost bytes is a fault and not another id. */
function patternOf(id: string): string {
  const pairs = id.split(/[ :-]/);
  return pairs.length === 1
    ? `[0-9A-Fa-f]{${id.length}}`
    : `[0-9A-Fa-f]{2}(?:[ :-][0-9A-Fa-f]{2}){${pairs.length - 1}}`;
}

function isHex(line: string): boolean {
  try {
    parseTallyId(line);
    return true;
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    return false;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function guess(what: string, parameters: Readonly<Record<string, string>>): ProtocolGuess {
  return { what, parameters };
}
