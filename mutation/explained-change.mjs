/**
 * Parses a change of `explained.mjs`: the replaced text, the texts that must be before and after it, and the new text.
 *
 * @param {string} text Such as `a < b -> a <= b` or `else if («a < b») -> a <= b`, on one line.
 */
export function parseChange(text) {
  const arrow = text.indexOf(' -> ');
  const [, before, from, after] = /^(.*)«(.*)»(.*)$/.exec(text.slice(0, arrow)) ?? [
    ...['', '', text.slice(0, arrow), ''],
  ];
  return { before, from, after, to: text.slice(arrow + ' -> '.length) };
}

/** A source on one line, as in the notation of changes. */
export function onOneLine(source) {
  return source.replaceAll(/\s+/g, ' ');
}

/** Number of places in a source that fit a change. */
export function countPlaces(text, source) {
  const { before, from, after } = parseChange(text);
  return onOneLine(source).split(`${before}${from}${after}`).length - 1;
}

/** Whether a change is that of a mutant: the same change in the same place. */
export function isOf(text, { from, to, before, after }) {
  const change = parseChange(text);
  return (
    change.from === from &&
    change.to === to &&
    before.endsWith(change.before) &&
    after.startsWith(change.after)
  );
}
