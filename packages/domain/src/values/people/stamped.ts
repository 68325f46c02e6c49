import { compareStamps, type Stamp } from '../stamp.js';

/** A value with the moment of its last change. The later stamp wins. `value` may be `undefined`: taken away. */
export interface Stamped<T> {
  readonly value: T | undefined;
  readonly stamp: Stamp;
}

/** What a person or a group was merged into at last: themselves, if they were not. */
export function rootOf<Id>(find: (id: Id) => { readonly alias?: Stamped<Id> } | undefined, id: Id): Id {
  // An alias has a smaller id, so this ends.
  const alias = find(id)?.alias?.value;
  return alias === undefined ? id : rootOf(find, alias);
}

/** The later one of two stamped values. Of equal stamps, the one whose text is greater, so that all places agree. */
export function laterOf<T>(
  one: Stamped<T> | undefined,
  other: Stamped<T> | undefined,
): Stamped<T> | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const order = compareStamps(one.stamp, other.stamp);
  if (order !== 0) return order > 0 ? one : other;
  return textOf(one.value) >= textOf(other.value) ? one : other;
}

/** The same for equal values, in whatever order their fields were set. */
function textOf(value: unknown): string {
  return JSON.stringify([value], (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export function laterStamp(one: Stamp | undefined, other: Stamp | undefined): Stamp | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareStamps(one, other) >= 0 ? one : other;
}

/** A text as it is compared when people search: without case and accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(marks(), '').toLowerCase().trim();
}

const marks = (): RegExp => /\p{M}/gu;
