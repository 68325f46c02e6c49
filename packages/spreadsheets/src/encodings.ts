/** The encodings in which a list may be, with the likely ones first: of equally good guesses, the first one counts. */
export const encodings = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'ibm850',
  'macintosh',
  'iso-8859-2',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'utf-16le',
  'utf-16be',
] as const;
export type Encoding = (typeof encodings)[number];

/** The encodings that are guessed; the others of single bytes are only chosen. */
const GUESSED = 6;
const SINGLE_BYTES = 10;

/** The characters from byte 0x80 on in encodings that Node decodes wrongly (nodejs/node#56542) or not at all. */
const tables: Readonly<Partial<Record<Encoding, string>>> = {
  'windows-1252': '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
    'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0',
};

/** The letters of a language beyond ASCII. The letters of a word in the right encoding are of one language. */
const alphabets = [
  ...[
    'äöüßé',
    'àâçéèêëîïôœùûüÿ',
    'áéíóúüñçàèòï',
    'àèéìíòóùú',
    'áéëïöüèó',
    'áâãàçéêíóôõú',
    'åäöæøéü',
    'áéíóúýðþæö',
  ],
  ...[
    'ąćęłńóśźż',
    'áčďéěíňóřšťúůýžäľĺŕôöü',
    'áéíóöőúüű',
    'ăâîșțşţ',
    'čćđšž',
    'çğıöşüâîû',
    'āčēģīķļņšūž',
    'ąčęėįšųūž',
  ],
];

/** A guess: the same words of the file, in this encoding. */
export interface Guess {
  readonly encoding: Encoding;
  readonly words: readonly string[];
}

/** Decodes without checking: broken bytes become U+FFFD. */
export function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  const table = tables[encoding];
  if (table === undefined) return new TextDecoder(encoding).decode(bytes);
  const units = Buffer.alloc(2 * bytes.length);
  for (const [index, byte] of bytes.entries()) {
    const unit = table.charCodeAt(byte - 0x80);
    units.writeUInt16LE(Number.isNaN(unit) ? byte : unit, 2 * index);
  }
  return units.toString('utf16le');
}

/** Words that are looked at. A list has enough of them at its start. */
const MOST_WORDS = 1_000;

/**
 * Guesses an encoding in which each byte may be any character: the one with the most words that could be of a language.
 *
 * @returns The guesses, the best one first, with words that show the differences.
 */
export function guessEncoding(bytes: Uint8Array): readonly Guess[] {
  const text = Buffer.from(bytes).toString('latin1');
  const found = (text.match(/[a-z\x80-\xFF]+/gi) ?? []).filter((word) => /[^ -~]/.test(word));
  const words = Buffer.from([...new Set(found)].slice(0, MOST_WORDS).join('\n'), 'latin1');
  // Only old Macs end lines so, and they knew no other encoding.
  const isOfMac = text.includes('\r') && !text.includes('\n');
  const all = encodings
    .slice(0, SINGLE_BYTES)
    .map((encoding) => ({ encoding, words: decodeAs(words, encoding).split('\n') }));
  const best = all
    .slice(0, GUESSED)
    .map((guess) => ({
      guess,
      likeness:
        likenessOf(guess.words) +
        (isOfMac && guess.encoding === 'macintosh' ? 0.5 : 0) -
        // The file is not quite UTF-8.
        (guess.encoding === 'utf-8' ? 0.5 : 0),
    }))
    .toSorted((one, other) => other.likeness - one.likeness)
    .map(({ guess }) => guess);
  return [...best, ...all.slice(GUESSED)];
}

/** Words of a language count, and once more those of the most frequent language. */
function likenessOf(words: readonly string[]): number {
  const likely = words.filter(isLikely);
  return (
    likely.length +
    Math.max(...alphabets.map((alphabet) => likely.filter((word) => isOf(alphabet, word)).length))
  );
}

/** Signs between the letters of names, and in titles such as "N°". */
const SIGNS = /[\u00A0\u00AA\u00B0\u00B4\u00B7\u00BA\u2013\u2019]/;

/** Whether the letters of a word could stand together in a name. */
export function isLikely(word: string): boolean {
  return word.split(SIGNS).every(hasUsualCase) && alphabets.some((alphabet) => isOf(alphabet, word));
}

function isOf(alphabet: string, word: string): boolean {
  return Array.from(word.toLowerCase()).every(
    (letter) => letter <= '~' || alphabet.includes(letter) || SIGNS.test(letter),
  );
}

/** No capital letter comes after a small one, and no small one between capital letters. */
function hasUsualCase(part: string): boolean {
  return part === part.toUpperCase() || /^.?\P{Lu}*$/u.test(part);
}
