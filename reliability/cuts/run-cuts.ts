import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../ledger/ledger.js';
import type { Part } from '../part.js';
import { Random } from '../random.js';
import { problemsOf } from '../verdict.js';
import { buildImage, fileSystems } from './crash-image.js';
import { withFormatZero } from './format-zero.js';
import { judgeAgain, keepCase, type Case } from './kept-case.js';
import { judgeImage } from './judge-image.js';
import { proveBite } from './prove-bite.js';
import { newStore, Recording, STORE, type Start } from './recording.js';
import { Tracer } from './tracer.js';
import type { Tree } from './tree.js';

const COUNT = 3_000;
const SHORT_COUNT = 250;
const CUTS_OF_A_RECORDING = 50;
/** The share of additional cuts during the opening of a store of an older format. */
const SHARE_OF_MIGRATIONS = 0.1;
/** Only the start is cut here, so a short load follows it. */
const AFTER_MIGRATION = { acknowledgements: 20 };
/** Failures after which the run stops: more of them give no new information. */
const ENOUGH_FAILURES = 5;
/** Runs after which a new store is made, so that making a store is cut too. */
const GENERATIONS = 8;
/**
 * The share of cuts that the next run could begin with. It begins with the latest of them, or with the kill if there
 * is none.
 */
const SHARE_TO_GO_ON_FROM = 0.02;

/**
 * Records all changes that the service makes to its files under load, and cuts the power at many moments. Unsynced
 * changes are lost, torn or reordered. The next run begins with the files that a cut, or a kill, has left, so
 * recoveries are cut too.
 */
export const runCuts: Part = async ({ seed, count, isShort, replay }) => {
  if (replay !== undefined) return judgeAgain(replay);
  const tracer = Tracer.compile(await mkdtemp(join(tmpdir(), 'cuts-')));
  if (tracer === undefined) {
    return { figures: [], failures: [], notRun: 'the power cuts need a C compiler, cc, which is missing' };
  }
  const random = new Random(seed);
  const total = count ?? (isShort ? SHORT_COUNT : COUNT);
  const cuts = new Cuts(total);
  let start = newStore;
  let end = newStore;
  for (let run = 1; !cuts.isDone; run++) {
    const recording = await Recording.make(tracer, start, random.fork());
    start = await cuts.judgeSome(recording, random);
    end = recording.end;
    if (run % GENERATIONS === 0) start = newStore;
  }
  const migrations = new Cuts(Math.ceil(total * SHARE_OF_MIGRATIONS));
  while (!migrations.isDone) {
    const old = await withFormatZero(end, STORE);
    const recording = await Recording.make(tracer, old, random.fork(), {}, AFTER_MIGRATION);
    await migrations.judgeOpening(recording, random);
    end = recording.end;
  }
  const bite = await proveBite(tracer, random, isShort);
  return {
    figures: [
      { what: 'power cuts', value: cuts.done },
      { what: 'of them while the store recovers', value: cuts.inRecovery },
      { what: 'cuts during the opening of a store of a made-up older format', value: migrations.done },
      { what: 'runs recorded', value: cuts.recordings },
      { what: 'tables that LevelDB wrote in these runs', value: cuts.tables },
      ...[...cuts.counts].map(([what, value]) => ({ what: `${what}, checked at each later cut`, value })),
      ...bite.figures,
    ],
    failures: [...cuts.failures, ...migrations.failures, ...bite.missed],
  };
};

/** Judges cuts, and counts the results. */
class Cuts {
  readonly failures: string[] = [];
  done = 0;
  inRecovery = 0;
  recordings = 0;
  tables = 0;
  /** Sums of the counts of all ledgers. */
  readonly counts = new Map<string, number>();
  readonly #total: number;

  constructor(total: number) {
    this.#total = total;
  }

  get isDone(): boolean {
    return this.done >= this.#total || this.failures.length >= ENOUGH_FAILURES;
  }

  /** Judges some cuts of a recording. Resolves with the start of the next one. */
  async judgeSome(recording: Recording, random: Random): Promise<Start> {
    let start = recording.end;
    this.recordings++;
    this.tables += recording.history.renamings.filter(({ to }) => to?.endsWith('.ldb')).length;
    for (let n = 0; n < CUTS_OF_A_RECORDING && !this.isDone; n++) {
      const at = recording.chooseCut(random);
      const image = await this.#judge(recording, at, random);
      if (image !== undefined && random.chance(SHARE_TO_GO_ON_FROM)) start = recording.next(image, at);
    }
    return start;
  }

  /** Judges cuts of a recording while the store is being opened. */
  async judgeOpening(recording: Recording, random: Random): Promise<void> {
    for (let n = 0; n < CUTS_OF_A_RECORDING && !this.isDone; n++) {
      await this.#judge(recording, random.between(0, recording.loadBegins), random);
    }
  }

  /** Judges a cut. Resolves with the tree after it; `undefined` if the judge found a problem. */
  async #judge(recording: Recording, at: number, random: Random): Promise<Tree | undefined> {
    const chosen: Case = {
      at,
      fileSystem: random.pick(fileSystems),
      seed: random.between(0, 2 ** 32 - 1),
    };
    const image = buildImage(recording.history, chosen, new Random(chosen.seed));
    const ledger = recording.ledgerUntil(at);
    this.#count(recording, at, ledger);
    const problems = problemsOf(await judgeImage(image, ledger));
    if (problems.length === 0) return image;
    this.failures.push(await keepCase(recording, chosen, problems));
    return undefined;
  }

  #count({ start, loadBegins }: Recording, at: number, ledger: Ledger): void {
    this.done++;
    if (start.generation > 0 && at <= loadBegins) this.inRecovery++;
    for (const [what, count] of Object.entries(ledger.counts)) {
      this.counts.set(what, (this.counts.get(what) ?? 0) + count);
    }
    if (this.done % 500 === 0) console.error(`  ${this.done} cuts`);
  }
}
