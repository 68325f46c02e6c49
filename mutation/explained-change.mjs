/**
 * A change of `explained.mjs`: what is replaced, what must stand before and after it, and by what.
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

/** A source as changes are written, on one line. */
export function onOneLine(source) {
  return source.replaceAll(/\s+/g, ' ');
}

/** In how many places of a source a change can be meant. */
export function countPlaces(text, source) {
  const { before, from, after } = parseChange(text);
  return onOneLine(source).split(`${before}${from}${after}`).length - 1;
}

/** Whether a change is one of a mutant: the same in the same place. */
export function isOf(text, { from, to, before, after }) {
  const change = parseChange(text);
  return (
    change.from === from &&
    change.to === to &&
    before.endsWith(change.before) &&
    after.startsWith(change.after)
  );
}
