/**
 * Time of the release of this version, in seconds since 1970. A clock that shows an earlier time is wrong. `npm run
 * version-packages` writes it.
 */
export const RELEASED_AT: number = Date.parse('2026-11-29T00:00:00Z') / 1000;
