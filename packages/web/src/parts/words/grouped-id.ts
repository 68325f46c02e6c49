/** An id in pairs of digits, as on many printed tags, so that nobody takes it for a number. */
export function groupedId(id: string): string {
  return id.match(/../g)?.join(' ') ?? id;
}
