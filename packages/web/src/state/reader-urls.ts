/** The URL of a reader with another parameter; an empty value removes it. */
function withParameter(url: string, parameter: string, value: string): string {
  const [device, query] = partsOf(url);
  const parameters = new URLSearchParams(query);
  parameters.delete(parameter);
  if (value !== '') parameters.append(parameter, value);
  const text = parameters.toString().replaceAll('+', '%20');
  return text === '' ? device : `${device}?${text}`;
}

/** What stands before and after the first question mark: a parameter, such as a pattern, may have more of them. */
function partsOf(url: string): readonly [device: string, query: string] {
  const end = url.indexOf('?');
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)];
}

/** What the URLs of one reader have in common, whatever its name: so a named one is found among those of the machine. */
export function readerWithoutName(url: string): string {
  return withParameter(namedReader(url, ''), 'confirm', '');
}

/** The name that a URL gives its reader; empty if it gives none. */
export function nameOfReader(url: string): string {
  return new URLSearchParams(partsOf(url)[1]).get('name') ?? '';
}

/** @param name Empty: none, and the reader is named after its device. */
export function namedReader(url: string, name: string): string {
  return withParameter(url, 'name', name.trim());
}

/** The URL of a reader which sends each tag only once, and so cannot confirm it. */
export function unconfirmedReader(url: string): string {
  return withParameter(url, 'confirm', '1');
}

/**
 * Gives a reader a name that no other one has, unless it has one.
 *
 * @param name The name to propose; for further readers with a number after it.
 */
export function proposeName(url: string, others: readonly string[], name: string): string {
  if (nameOfReader(url) !== '') return url;
  const taken = new Set(others.map(nameOfReader));
  let proposed = name;
  for (let number = 2; taken.has(proposed); number++) proposed = `${name} ${number}`;
  return namedReader(url, proposed);
}
