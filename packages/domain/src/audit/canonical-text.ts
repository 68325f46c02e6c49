import type { AuditEntry } from '../values/audit.js';

/**
 * The text whose hash an entry has: a JSON object of all its other fields as RFC 8785 writes it, without white space and
 * with the keys of every object sorted by UTF-16 code units.
 */
export function canonicalText({
  number,
  at,
  actor,
  action,
  details,
  previous,
}: Omit<AuditEntry, 'hash'>): string {
  // Sorts by UTF-16 code units.
  const keys = Object.keys(details).sort();
  const members = keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(details[key])}`);
  return (
    `{"action":${JSON.stringify(action)},"actor":${JSON.stringify(actor)},"at":${at},` +
    `"details":{${members.join(',')}},"number":${number},"previous":${JSON.stringify(previous)}}`
  );
}
