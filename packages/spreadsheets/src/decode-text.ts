import { decodeAs, guessEncoding, isLikely, type Encoding, type Guess } from './encodings.js';

/** The encoding of a file that begins with the mark. `TextDecoder` removes the mark. */
const byteOrderMarks = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** A text, and how it was decoded. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
  /** Empty if the encoding is certain or was chosen; else all guesses, the best one first. */
  readonly guesses: readonly Guess[];
  /** Words with letters that do not stand together in any language, as of another encoding. */
  readonly doubtful: readonly string[];
}

/** What UTF-8 looks like after a program has taken it for Windows-1252; and a letter that a program could not write. */
const SPOILT = /[\u00C2\u00C3][\u0080-\u00BF]|\uFFFD/;
const words = (): RegExp => /[\p{L}\u0080-\u00BF\uFFFD]+/gu;

/**
 * Decodes a file of unknown encoding, as spreadsheet programs write them: as was chosen; else by its byte order mark;
 * else as UTF-8 or UTF-16 if it is that; else as guessed from its letters.
 */
export function decodeText(bytes: Uint8Array, chosen?: Encoding): DecodedText {
  const encoding = chosen ?? certainEncoding(bytes);
  const guesses = encoding === undefined ? guessEncoding(bytes) : [];
  const used = encoding ?? guesses[0]?.encoding ?? 'windows-1252';
  const text = decodeAs(bytes, used);
  const doubtful =
    guesses[0]?.words.filter((word) => !isLikely(word)) ??
    (SPOILT.test(text) ? (text.match(words()) ?? []).filter((word) => SPOILT.test(word)) : []);
  return { text, encoding: used, guesses, doubtful };
}

function certainEncoding(bytes: Uint8Array): Encoding | undefined {
  const marked = byteOrderMarks.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return marked.encoding;
  // No text has a NUL, so one of the first two bytes is half of a letter.
  if (bytes[0] === 0) return 'utf-16be';
  if (bytes[1] === 0) return 'utf-16le';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return undefined;
  }
}
