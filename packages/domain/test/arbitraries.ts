import {
  correctionActions,
  correctionStates,
  DAY_MAX,
  parseName,
  parseTallyId,
  toDay,
  toTimestamp,
  type Day,
  type Entry,
  type Filing,
  type Name,
  type NewCorrection,
  type ProvisionalScan,
  type TallyId,
  type Timestamp,
} from '@tallybook/domain';
import * as fc from 'fast-check';

/** The same inputs on every run. */
export const runs = { seed: 20_411, numRuns: 300 };

/** Checks that something holds for whatever the arbitraries generate. */
export function forAll<Ts extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> },
  check: (...values: Ts) => void,
  { numRuns = runs.numRuns, examples = [] }: { numRuns?: number; examples?: Ts[] } = {},
): void {
  const property = fc.property(fc.tuple<Ts>(...arbitraries), (values) => {
    check(...values);
  });
  fc.assert(property, { ...runs, numRuns, examples: examples.map((values): [Ts] => [values]) });
}

const byte = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'));

/** The bytes of an id as two lower-case hex digits each. */
export const tallyIdBytes: fc.Arbitrary<string[]> = fc.array(byte, { minLength: 3, maxLength: 10 });

export const tallyIds: fc.Arbitrary<TallyId> = tallyIdBytes.map((bytes) => parseTallyId(bytes.join('')));

export const days: fc.Arbitrary<Day> = fc.integer({ min: 0, max: DAY_MAX }).map(toDay);

export const timestamps: fc.Arbitrary<Timestamp> = fc.maxSafeNat().map(toTimestamp);

const part = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => text.normalize('NFC').trim())
  .filter((text) => !/\p{Cc}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}/u.test(text))
  .filter(
    (text) => text === '' || /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u.test(text),
  );

export const names: fc.Arbitrary<Name> = fc
  .record({ first: part, last: part })
  .filter(({ first, last }) => (first + last).trim() !== '')
  .map(parseName);

/** An entry of one tag: what its scans come to. */
export const entriesOf = (id: TallyId): fc.Arbitrary<Entry> =>
  fc.tuple(fc.nat(100_000), fc.nat(1_000), fc.nat(50)).map(([first, span, more]) => ({
    id,
    first: toTimestamp(first),
    last: toTimestamp(first + span),
    count: span === 0 ? 1 : 2 + Math.min(more, span - 1),
  }));

const estimates = fc
  .tuple(timestamps, timestamps)
  .map(([a, b]) => ({ earliest: a < b ? a : b, latest: a < b ? b : a }));

const filings: fc.Arbitrary<Filing> = fc
  .record({ day: days, at: timestamps, isRecorded: fc.boolean(), estimate: fc.option(estimates) })
  .map(({ estimate, ...filing }) => (estimate === null ? filing : { ...filing, estimate }));

/** Scans that wait for the clock, as they are added: without a sequence. */
export const provisionalScans: fc.Arbitrary<Omit<ProvisionalScan, 'sequence'>> = fc
  .record({
    id: tallyIds,
    reader: fc.string({ unit: 'grapheme', maxLength: 20 }),
    bootId: fc.uuid(),
    // Not -0, which JSON does not know.
    monotonicMs: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(Math.abs),
    shown: timestamps,
    notBefore: timestamps,
    filing: fc.option(filings),
  })
  .map(({ filing, ...scan }) => (filing === null ? scan : { ...scan, filing }));

const reasons = fc
  .tuple(fc.constantFrom('Forgot', 'Vergessen, "Zoë"', '忘れた'), part)
  .map(([first, last]) => `${first}: ${last}`.normalize('NFC').trim());

const decisions = fc
  .record({ by: fc.constantFrom('boss', 'token Küche'), at: timestamps, reason: fc.option(reasons) })
  .map(({ reason, ...decision }) => (reason === null ? decision : { ...decision, reason }));

export const corrections: fc.Arbitrary<NewCorrection> = fc
  .record({
    action: fc.constantFrom(...correctionActions),
    day: days,
    id: tallyIds,
    at: timestamps,
    reason: reasons,
    author: fc.constantFrom('desk', 'console', '"'),
    madeAt: timestamps,
    state: fc.constantFrom(...correctionStates),
    decision: fc.option(decisions),
  })
  .map(({ decision, ...correction }) => (decision === null ? correction : { ...correction, decision }));
