import { writeAuditEntry, type AuditEntry, type AuditHead } from '@tallybook/domain/access';
import type { Rows, SealedRow } from '../rows/rows.js';
import { encodeAuditHead, sealAuditEntries } from '../rows/service/audit-rows.js';
import { AUDIT_ROW_MAX, auditHeadKey } from '../rows/service/service-keys.js';

/** Gives the entry to append after the end of the trail, if there is one. */
export type Choice = (end: AuditHead) => AuditEntry | undefined;

/** The error of a caller that was asked for its entry. */
export class Refusal {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Whether an entry was appended. */
export type Outcome = boolean | Refusal;

/**
 * The entries of one write, each after the one before.
 *
 * They are made one directly after the other, from where the trail is expected to end: each by itself, between two requests, takes
 * up to twice as long. Those that are made together share rows. If the trail ends elsewhere, all of them are made again.
 */
export class NextEntries {
  readonly #choices: Choice[] = [];
  #start: AuditHead;
  #end: AuditHead;
  #outcomes: Outcome[] = [];
  #rows: SealedRow[] = [];
  /** The entries of the row that is being made. */
  #texts: string[] = [];
  #endRow: Buffer | undefined;

  /** @param expected Where the trail will end when these are written. */
  constructor(expected: AuditHead) {
    this.#start = expected;
    this.#end = expected;
  }

  /** Where the trail ends after those that are made. */
  get end(): AuditHead {
    return this.#end;
  }

  /** The row of the new end; `undefined` until they are appended, or if there are none. */
  get endRow(): Buffer | undefined {
    return this.#endRow;
  }

  get count(): number {
    return this.#choices.length;
  }

  /** Adds an entry, to be made later, and returns its place in the result of {@link append}. If making it throws, it is refused, and the others go on. */
  add(choose: Choice): number {
    return this.#choices.push(choose) - 1;
  }

  /** Makes the entries that were added since the last time, and their rows. */
  make(): void {
    for (const choose of this.#choices.slice(this.#outcomes.length)) {
      this.#make(choose);
      if (this.#texts.length === AUDIT_ROW_MAX) this.#completeRow();
    }
    this.#completeRow();
  }

  /**
   * Appends the entries, made or not, and returns the outcome of each.
   *
   * @param start Where the trail ends.
   */
  append(rows: Rows, start: AuditHead): readonly Outcome[] {
    if (start.number !== this.#start.number || start.hash !== this.#start.hash) this.#beginAfter(start);
    this.make();
    for (const row of this.#rows) rows.add(row);
    if (this.#rows.length > 0) {
      this.#endRow = encodeAuditHead(this.#end);
      rows.put(auditHeadKey, this.#endRow);
    }
    return this.#outcomes;
  }

  #beginAfter(start: AuditHead): void {
    this.#start = start;
    this.#end = start;
    this.#outcomes = [];
    this.#rows = [];
  }

  #make(choose: Choice): void {
    try {
      const entry = choose(this.#end);
      if (entry !== undefined) {
        // The key of a row tells the numbers of successive entries only.
        if (entry.number !== this.#end.number + 1) this.#completeRow();
        this.#texts.push(writeAuditEntry(entry));
        this.#end = { number: entry.number, hash: entry.hash };
      }
      this.#outcomes.push(entry !== undefined);
    } catch (error) {
      this.#outcomes.push(new Refusal(error));
    }
  }

  #completeRow(): void {
    if (this.#texts.length === 0) return;
    this.#rows.push(sealAuditEntries(this.#end.number, this.#texts));
    this.#texts = [];
  }
}
