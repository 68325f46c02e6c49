import { DAMAGED, UnreadableWorkbook } from './archive.js';

/** A part of an XML document. Names are without prefixes: programs choose them differently. */
export type XmlToken =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** A tag, a comment or a section without tags that is longer is not of a workbook. */
const MAX_MARKUP = 65_536;
const MAX_DEPTH = 64;
/** Longest reference to a character, such as `&#x10FFFF;`. */
const MAX_REFERENCE = 12;

const TAG = /<(\/?)([^\s<>/="'&!?]+)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const SECTIONS = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
] as const;

/**
 * Reads an untrusted XML document in pieces: elements, attributes and text. It knows no declarations, so there are no
 * entities to expand and nothing to fetch. Its memory is that of one tag.
 */
export class XmlReader {
  #rest = '';
  /** The names of the open elements, with prefixes. */
  readonly #open: string[] = [];

  /** Reads the next piece. Throws an {@link UnreadableWorkbook}. A text may come in several tokens. */
  *push(piece: string): Generator<XmlToken, void, undefined> {
    const all = this.#rest + piece;
    let at = 0;
    while (at < all.length) {
      const start = all.indexOf('<', at);
      const textEnd = start === -1 ? endOfText(all, at) : start;
      if (textEnd > at) yield* this.#text(decodeReferences(all.slice(at, textEnd)));
      at = textEnd;
      if (start === -1) break;
      const section = SECTIONS.find((each) => all.startsWith(each.start, at));
      if (section !== undefined) {
        const end = all.indexOf(section.end, at + section.start.length);
        if (end === -1) break;
        if (section.end === ']]>') yield* this.#text(all.slice(at + section.start.length, end));
        at = end + section.end.length;
        continue;
      }
      TAG.lastIndex = at;
      const found = TAG.exec(all);
      if (found === null) {
        if (/^<!(?!-?$|\[[A-Z]*$|$)/.test(all.slice(at, at + 9))) throw new UnreadableWorkbook(DECLARES);
        break;
      }
      at = TAG.lastIndex;
      yield* this.#tag(found);
    }
    this.#rest = all.slice(at);
    if (this.#rest.length > MAX_MARKUP) throw new UnreadableWorkbook(DAMAGED);
  }

  /** Throws an {@link UnreadableWorkbook} if the document is not complete. */
  end(): void {
    if (this.#rest.trim() !== '' || this.#open.length > 0) throw new UnreadableWorkbook(DAMAGED);
  }

  *#text(text: string): Generator<XmlToken, void, undefined> {
    if (this.#open.length > 0) yield { kind: 'text', text };
    else if (text.trim() !== '') throw new UnreadableWorkbook(DAMAGED);
  }

  *#tag([, slash, full = '', attributes = '', emptySlash]: readonly string[]): Generator<XmlToken> {
    const name = local(full);
    if (slash !== '') {
      if (this.#open.pop() !== full) throw new UnreadableWorkbook(DAMAGED);
      yield { kind: 'close', name };
      return;
    }
    if (this.#open.length >= MAX_DEPTH)
      throw new UnreadableWorkbook(`the workbook has XML with more than ${MAX_DEPTH} elements in each other`);
    yield { kind: 'open', name, attributes };
    if (emptySlash === '') this.#open.push(full);
    else yield { kind: 'close', name };
  }
}

const DECLARES = 'the workbook has XML with declarations of its own, which no spreadsheet program writes';

/** The tokens of a document in pieces, some at a time. */
export async function* readXml(pieces: AsyncIterable<string>): AsyncGenerator<Iterable<XmlToken>> {
  const reader = new XmlReader();
  for await (const piece of pieces) yield reader.push(piece);
  reader.end();
}

/** The values of attributes, by names without prefixes. */
export function attributesOf(attributes: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of attributes.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g))
    values.set(local(name), decodeReferences(value.slice(1, -1)));
  return values;
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The end of what can be read of a text: a reference at its end may be incomplete. */
function endOfText(all: string, from: number): number {
  const reference = all.lastIndexOf('&');
  return reference >= from && all.length - reference < MAX_REFERENCE ? reference : all.length;
}

const named: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
);

function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&([^;]{0,10};)?/g, (_, reference: string = '') => {
    const name = reference.slice(0, -1);
    const code = /^#(?:x([\dA-Fa-f]{1,6})|(\d{1,7}))$/.exec(name);
    const point = code === null ? -1 : parseInt(code[1] ?? code[2] ?? '', code[1] === undefined ? 10 : 16);
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
    const character = isCharacter ? String.fromCodePoint(point) : named.get(name);
    if (character === undefined) throw new UnreadableWorkbook(name.startsWith('#') ? DAMAGED : DECLARES);
    return character;
  });
}
