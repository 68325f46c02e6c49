import type { Contents, ShownCorrection } from './contents.js';

/** A sent correction. Its reason identifies it. */
interface SentCorrection extends Pick<ShownCorrection, 'day' | 'id' | 'at' | 'action'> {
  isAcknowledged: boolean;
  /** Its day is being removed, and the correction with it. */
  mayBeGone: boolean;
}

/** Sent and acknowledged corrections. The corrections of removed days and erased tags are removed too. */
export class CorrectionLedger {
  readonly #sent = new Map<string, SentCorrection>();
  /** The corrections up to this number may have their entries before the judged part of the journal. */
  #oldNumber = 0;
  #count = 0;
  acknowledged = 0;

  /** A reason that no correction has had. */
  nextReason(): string {
    return `reason-${this.#count + 1}`;
  }

  sent(reason: string, correction: Pick<ShownCorrection, 'day' | 'id' | 'at' | 'action'>): void {
    this.#count++;
    this.#sent.set(reason, { ...correction, isAcknowledged: false, mayBeGone: false });
  }

  answered(reason: string): void {
    const correction = this.#sent.get(reason);
    if (correction === undefined) return;
    correction.isAcknowledged = true;
    this.acknowledged++;
  }

  removing(day: number): void {
    for (const correction of this.#sent.values()) if (correction.day === day) correction.mayBeGone = true;
  }

  removed(day: number): void {
    for (const [reason, correction] of this.#sent) if (correction.day === day) this.#sent.delete(reason);
  }

  /** Whether any correction of a day was sent. */
  hasOn(day: number): boolean {
    return [...this.#sent.values()].some((correction) => correction.day === day);
  }

  /** @param gone Erased tags. */
  *judge({ corrections, journal }: Contents, gone: ReadonlySet<string>): Generator<string> {
    if (corrections === undefined) return;
    const shown = new Map(corrections.map((each) => [each.reason, each]));
    if (shown.size < corrections.length) yield 'a correction is there twice';
    for (const { reason, day, id, at, action, state } of corrections) {
      const sent = this.#sent.get(reason);
      if (sent === undefined) yield `the correction ${reason} was never made, or went with its day`;
      else if (`${sent.day} ${sent.id} ${sent.at} ${sent.action}` !== `${day} ${id} ${at} ${action}`)
        yield `the correction ${reason} says ${action} ${id} at ${at} on day ${day}, which nobody sent`;
      if (state !== 'approved') yield `the correction ${reason} is ${state}, and nobody has to decide of it`;
    }
    for (const [reason, { id, isAcknowledged, mayBeGone }] of this.#sent) {
      if (isAcknowledged && !mayBeGone && !gone.has(id) && !shown.has(reason))
        yield `the correction ${reason} of ${id} is gone; it was acknowledged`;
    }
    if (journal === undefined) return;
    const told = journal.entries.flatMap(({ change }) =>
      change.kind === 'correction' && change.number > this.#oldNumber ? [change.number] : [],
    );
    const numbers = corrections.map(({ number }) => number).filter((number) => number > this.#oldNumber);
    if (told.toSorted((a, b) => a - b).join() !== numbers.toSorted((a, b) => a - b).join())
      yield `the journal has the corrections ${told.join()}, the record ${numbers.join()}`;
  }

  /** From now on, exactly the shown corrections count as present. */
  settle({ corrections = [] }: Contents): void {
    const reasons = new Set(corrections.map(({ reason }) => reason));
    for (const [reason, sent] of this.#sent) {
      if (!reasons.has(reason)) this.#sent.delete(reason);
      else Object.assign(sent, { isAcknowledged: true, mayBeGone: false });
    }
    this.#oldNumber = Math.max(this.#oldNumber, ...corrections.map(({ number }) => number));
  }
}
