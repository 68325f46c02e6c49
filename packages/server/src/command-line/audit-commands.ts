import { invalidOption } from '@tallybook/devices';
import { counted, quote } from '@tallybook/domain';
import type { AuditEntry, AuditFault, AuditHead, AuditTrail } from '@tallybook/domain/access';
import { trailOf } from '../audit/command-trail.js';
import { findOwner } from './access/with-owner.js';
import { ServedAuditStore } from '../control/served-audit-store.js';
import { createStorage, requireStore } from '../config/stores.js';
import { advising, ofCommand } from './of-command.js';
import { writeOutput } from './terminal-output.js';

/** Result of `tallybook audit verify`. */
export interface AuditFinding {
  readonly isSound: boolean;
  /** Lines for people. */
  readonly lines: readonly string[];
}

const PAGE = 500;
const EMPTY = 'the audit trail is empty';
const HEAD = /^(\d{1,15}):([0-9a-f]{64})$/i;

/**
 * Reads `NUMBER:HASH`, the form in `tallybook audit verify` and in the log of the service.
 *
 * @throws {TallybookError} `INVALID_OPTION` if it is something else.
 */
export function parseAuditHead(text: string): AuditHead {
  const [, number, hash = ''] = HEAD.exec(text.trim()) ?? [];
  if (number !== undefined && Number(number) > 0) return { number: Number(number), hash: hash.toLowerCase() };
  throw invalidOption(
    `--expect: NUMBER:HASH, as \`tallybook audit verify\` and the log print it; got ${quote(text)}`,
  );
}

/** Verifies the audit trail of a store, and describes its first fault. Rejects with the errors of opening the store. */
export function verifyAudit(store: string, expected?: AuditHead): Promise<AuditFinding> {
  return withTrail(store, async (trail) => {
    const { entries, first, head, fault } = await trail.verify(expected);
    const count = counted(entries, 'entry', 'entries');
    if (fault !== undefined) {
      const before = head === undefined ? [] : [`sound up to ${head.number}:${head.hash}`];
      return { isSound: false, lines: [describe(fault, expected), ...before] };
    }
    if (head === undefined) return { isSound: true, lines: [EMPTY] };
    const removed = (first ?? 1) > 1 ? `; the ${(first ?? 1) - 1} before were removed for their age` : '';
    return {
      isSound: true,
      lines: [`the audit trail is sound: ${count}${removed}`, `it ends with ${head.number}:${head.hash}`],
    };
  });
}

/** Writes the entries of an audit trail to standard output, ascending: as JSON for programs, or as text for people. */
export function listAudit(store: string, { isJson }: { readonly isJson: boolean }): Promise<void> {
  return withTrail(store, (trail) => writeOutput(linesOf(trail, isJson)));
}

async function* linesOf(trail: AuditTrail, isJson: boolean): AsyncGenerator<string, void, undefined> {
  for (let after = 0; ;) {
    const page = await trail.read(after, PAGE);
    for (const entry of page) yield `${isJson ? JSON.stringify(entry) : format(entry)}\n`;
    const last = page.at(-1);
    if (last === undefined) {
      if (after === 0 && !isJson) yield `${EMPTY}\n`;
      return;
    }
    after = last.number;
  }
}

async function withTrail<T>(url: string, work: (trail: AuditTrail) => Promise<T>): Promise<T> {
  await requireStore(url);
  const client = await findOwner(url);
  if (client !== undefined) return work(trailOf({ audit: new ServedAuditStore(client) }));
  return advising('; stop the server for the moment, or ask it: GET /api/audit', async () => {
    await using storage = createStorage(url, ofCommand);
    await storage.open();
    return await work(trailOf(storage));
  });
}

function describe({ kind, number }: AuditFault, expected: AuditHead | undefined): string {
  switch (kind) {
    case 'missing':
      return expected !== undefined && number <= expected.number
        ? `entry ${number} is missing; the trail went on to entry ${expected.number} at least`
        : `entry ${number} is missing`;
    case 'changed':
      return `entry ${number} was changed: its hash is another one`;
    case 'unchained':
      return `entry ${number} does not follow entry ${number - 1}: one of them was changed or moved`;
    case 'not-expected':
      return `entry ${number} is not the expected one: the trail was replaced`;
    case 'removed':
      return `entry ${number} was removed for its age, so it cannot be compared; give a later one`;
  }
}

function format({ number, at, actor, action, details }: AuditEntry): string {
  const facts = Object.entries(details).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [String(number), isoOf(at), JSON.stringify(actor), action, ...facts].join(' ');
}

/** The first second after the years of four digits. */
const DATE_END = 253_402_300_800;

function isoOf(at: number): string {
  return at < DATE_END ? new Date(at * 1_000).toISOString().replace('.000Z', 'Z') : String(at);
}
