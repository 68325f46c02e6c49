import type { AuditEntry } from '../values/audit.js';

/**
 * The text that an entry's hash is made of: all other fields as a JSON object in the form of RFC 8785. It has no white
 * space, and the keys of each object are sorted by UTF-16 code units.
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
