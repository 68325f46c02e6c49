/**
 * Faults of the service under test: it acknowledges a change and does not write it, or writes or shows
 * something else. Each comes with the problem that
 * a ledger must find.
 */
export const forgetful: Readonly<Record<string, RegExp>> = {
  'forget-corrections': /^the correction .* is gone; it was acknowledged/,
  'forget-erasures': /was erased, and is in /,
  'forget-users': /^the user .* is gone; version .* was acknowledged/,
  'forget-credentials': /^the (?:token|session of) .* is gone; it was acknowledged/,
  'forget-revocations': /^the token .* is there; it was revoked/,
  'forget-holders': /^the holder of .* was acknowledged/,
  'forget-names-of-tags': /^the name of E0.* was acknowledged/,
  'forget-groups': /^the person .* is .*; .* was acknowledged/,
  'keep-former-groups': /^the person .* is .*; .* was acknowledged/,
  'erase-namesakes': /^the person .* is gone; .* was acknowledged/,
  'count-lost-tags': /^the table of .* is .*; /,
  'forget-removals': /^day .* was removed, and is there/,
};
