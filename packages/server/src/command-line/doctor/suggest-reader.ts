import { createReader, guessProtocol, type ReaderDependencies, SerialIdSource } from '@tallybook/readers';

/** The probable protocol of a reader, and the URL that reads it, if there is one. */
export interface Suggestion {
  readonly what: string;
  readonly url: string | undefined;
}

/**
 * Guesses the protocol of a serial reader from bytes that its URL does not turn into an id.
 *
 * @returns `undefined` if the bytes fit no known protocol, or fit the protocol of the URL.
 */
export function suggestReader(
  url: string,
  { baudRate }: SerialIdSource,
  received: Uint8Array,
  dependencies: ReaderDependencies,
): Suggestion | undefined {
  const guess = guessProtocol(received);
  if (guess === undefined) return undefined;
  const { what, parameters } = guess;
  if (parameters === undefined) return { what, url: undefined };
  const [path = '', query = ''] = url.split('?');
  const given = new Map(new URLSearchParams(query));
  const isOfLines = parameters['protocol'] === 'lines';
  const decided = isOfLines
    ? ['protocol', 'pattern', 'format', 'match'].filter((name) => name !== 'match' || name in parameters)
    : ['protocol'];
  const isSaid = decided.every((name) => parameters[name] === (given.get(name) ?? usual[name]));
  if (isSaid) return undefined;
  const dropped = isOfLines ? [...decided, ...OF_FRAMES] : ['protocol', 'pattern', ...OF_FRAMES];
  if (parameters['format'] === 'text') dropped.push(...OF_BYTES);
  else if (given.get('format') === 'text') dropped.push('format');
  const kept = [...given].filter(([name]) => !dropped.includes(name));
  const suggested = write(path, [...Object.entries(parameters), ...kept]);
  const reader = createReader(suggested, dependencies);
  // The bytes made sense at this baud rate, which may be the default of the wrong protocol.
  const isSameRate = reader instanceof SerialIdSource && reader.baudRate === baudRate;
  return { what, url: isSameRate ? suggested : write(suggested, [['baud', String(baudRate)]]) };
}

const usual: Readonly<Record<string, string>> = { protocol: 'rdm6300' };

/** Options of a URL that belong to a protocol of frames. */
const OF_FRAMES: readonly string[] = ['checksum', 'confirm', 'match'];
/** Options that ids of text do not have. */
const OF_BYTES: readonly string[] = ['order', 'keep', 'technology'];

function write(url: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}
