import type { JsonCalls } from './json-calls.js';

/** A fact beside the record: a scan that was forgotten, or one that was wrong. */
export interface Correction {
  readonly number: number;
  readonly action: 'add' | 'void';
  readonly day: number;
  /** Of the tag. */
  readonly id: string;
  /** The scan, in seconds since 1970. */
  readonly at: number;
  readonly reason: string;
  readonly author: string;
  readonly madeAt: number;
  readonly state: 'approved' | 'pending' | 'rejected';
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
}

export type NewCorrection = Pick<Correction, 'action' | 'day' | 'id' | 'at' | 'reason'>;

/** Those of a range of days, by moments of its first and last day. */
export function listCorrections(
  calls: JsonCalls,
  range: { readonly from: number; readonly to: number },
): Promise<readonly Correction[]> {
  return calls.get('api/corrections', { ...range });
}

/** Makes them all, or none. */
export function correct(
  calls: JsonCalls,
  corrections: readonly NewCorrection[],
): Promise<readonly Correction[]> {
  return calls.post('api/corrections', { corrections });
}

export function decideCorrection(
  calls: JsonCalls,
  decision: { readonly number: number; readonly approve: boolean; readonly reason?: string },
): Promise<unknown> {
  return calls.post('api/corrections/decision', decision);
}

/** The known scans of a tag on a day, in seconds since 1970. */
export async function listScans(calls: JsonCalls, day: number, id: string): Promise<readonly number[]> {
  return (await calls.get<{ readonly at: readonly number[] }>('api/scans', { day, id })).at;
}
