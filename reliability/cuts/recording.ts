import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '../ledger/ledger.js';
import type { Random } from '../random.js';
import { loadUntilKilled, type Extent } from '../service/load.js';
import { BASE_SECONDS, ServiceProcess } from '../service/service-process.js';
import { buildFinal } from './crash-image.js';
import { readHistory, type History } from './history.js';
import { readTrace, type TraceRecord } from './trace.js';
import type { Tracer } from './tracer.js';
import { readTree, writeTree, type Tree } from './tree.js';

/**
 * Seconds by which the clock is put forward between two runs. Each run is on the day after the one before; few runs
 * follow each other.
 */
const RUN_SECONDS = 90_000;
/** Acknowledgements before the service is killed. */
const LEAST_ACKNOWLEDGEMENTS = 20;
const MOST_ACKNOWLEDGEMENTS = 800;
/** So small that LevelDB switches and compacts under that load. Most runs use it. */
const SMALL_TABLES = { TABLE_BYTES: '32768' };
const SHARE_OF_SMALL_TABLES = 0.8;
/** The share of runs that begin with an unsynchronised clock, and how many scans they keep until it is synchronised. */
const SHARE_OF_DOUBT = 0.4;
const MOST_DOUBTED = 200;

/** The folder of the store. It is below the traced folder, so that making it is traced too. */
export const STORE = 'store';

/** The start of a run of the service. */
export interface Start {
  /** The durable contents of the folder. */
  readonly tree: Tree;
  /** The notes of all runs before. */
  readonly notes: readonly string[];
  /** How many runs there were before. */
  readonly generation: number;
}

export const newStore: Start = { tree: new Map(), notes: [], generation: 0 };

/** A run of the service under load until it was killed: all changes of its files and all its notes, in one order. */
export class Recording {
  readonly start: Start;
  readonly history: History;
  /** Before this record the store was being opened, and no request was sent to the service. */
  readonly loadBegins: number;
  readonly #records: readonly TraceRecord[];
  /** The moments directly after an acknowledgement. */
  readonly #acknowledged: readonly number[];
  readonly #trace: Buffer;
  readonly #root: string;

  /** @param root The traced folder. */
  constructor(start: Start, trace: Buffer, root: string) {
    this.start = start;
    this.#trace = trace;
    this.#root = root;
    this.#records = readTrace(trace, root);
    this.history = readHistory(start.tree, this.#records);
    const begins = this.#records.findIndex(
      isNote(/^(?:put|tapped|correcting|issuing|user-sent|person-sent|act-sent) /),
    );
    this.loadBegins = begins === -1 ? this.#records.length : begins;
    const isAcknowledgement = isNote(
      /^(?:answered|attended|held|filed|indicated|removed|corrected|erased|person-kept|act-kept|person-erased|issued|revoked|user-kept|signed-in|signed-out) /,
    );
    this.#acknowledged = this.#records.flatMap((record, at) => (isAcknowledgement(record) ? [at + 1] : []));
  }

  /**
   * Starts the service, puts load on it, and kills it.
   *
   * @param env Added to the environment of the service.
   * @param extent Default: a random number of acknowledgements.
   */
  static async make(
    tracer: Tracer,
    start: Start,
    random: Random,
    env: Readonly<Record<string, string>> = {},
    extent: Partial<Extent> = {},
  ): Promise<Recording> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'recording-')));
    const root = join(folder, 'root');
    const file = join(folder, 'trace');
    await writeTree(root, start.tree);
    const service = new ServiceProcess({
      store: join(root, STORE),
      baseSeconds: BASE_SECONDS + start.generation * RUN_SECONDS,
      env: {
        ...(random.chance(SHARE_OF_SMALL_TABLES) ? SMALL_TABLES : {}),
        ...(random.chance(SHARE_OF_DOUBT) ? { DOUBTED: String(random.between(1, MOST_DOUBTED)) } : {}),
        ...env,
        ...tracer.env(root, file),
      },
    });
    await loadUntilKilled(service, Ledger.of(start.notes), random, {
      acknowledgements: random.between(LEAST_ACKNOWLEDGEMENTS, MOST_ACKNOWLEDGEMENTS),
      ...extent,
    });
    const recording = new Recording(start, await readFile(file), root);
    await rm(folder, { recursive: true });
    return recording;
  }

  /** Reads a recording that {@link save} has written. */
  static async load(folder: string): Promise<Recording> {
    const run = await readFile(join(folder, 'run.json'), 'utf8');
    const { notes, generation, root } = JSON.parse(run) as Omit<Start, 'tree'> & { readonly root: string };
    const tree = await readTree(join(folder, 'tree'));
    return new Recording({ tree, notes, generation }, await readFile(join(folder, 'trace')), root);
  }

  async save(folder: string): Promise<void> {
    const { tree, notes, generation } = this.start;
    await writeTree(join(folder, 'tree'), tree);
    await writeFile(join(folder, 'trace'), this.#trace);
    await writeFile(join(folder, 'run.json'), JSON.stringify({ notes, generation, root: this.#root }));
  }

  /** The notes of all runs before a moment. */
  notesUntil(at: number): readonly string[] {
    const noted = this.#records.slice(0, at).filter(({ kind }) => kind === 'mark');
    return [...this.start.notes, ...noted.map(({ data }) => data.toString().trim())];
  }

  /** The ledger at a moment, from the notes of all runs up to it. */
  ledgerUntil(at: number): Ledger {
    return Ledger.of(this.notesUntil(at));
  }

  /** The start of the next run after the kill. */
  get end(): Start {
    return this.next(buildFinal(this.history), this.history.length);
  }

  /** The start of the next run, if this one has ended at a moment and left a tree. */
  next(tree: Tree, at: number): Start {
    return { tree, notes: this.notesUntil(at), generation: this.start.generation + 1 };
  }

  /**
   * Chooses the moment of a cut. These are equally likely: while the store opens, directly after an acknowledgement,
   * directly after a sync, or any moment. If two writes must be one but are not, they differ for the longest time
   * around the sync of the first.
   */
  chooseCut(random: Random): number {
    const kind = random.between(0, 3);
    if (kind === 0) return random.between(0, this.loadBegins);
    if (kind === 1 && this.#acknowledged.length > 0) return random.pick(this.#acknowledged);
    if (kind === 2 && this.history.syncs.length > 0) return random.pick(this.history.syncs).end + 1;
    return random.between(0, this.#records.length);
  }
}

function isNote(pattern: RegExp): (record: TraceRecord) => boolean {
  return ({ kind, data }) => kind === 'mark' && pattern.test(data.toString());
}
