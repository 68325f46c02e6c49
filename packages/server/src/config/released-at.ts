/**
 * When this version was released, in seconds since 1970: no clock that shows less is right. `npm run version-packages`
 * writes it.
 */
export const RELEASED_AT: number = Date.parse('2026-11-21T00:00:00Z') / 1000;
