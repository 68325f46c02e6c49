import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part } from '../part.js';
import { Random } from '../random.js';
import { problemsOf } from '../verdict.js';
import { buildFinal, buildImage, fileSystems } from './crash-image.js';
import { judgeAgain, keepCase, type Case } from './kept-case.js';
import { judgeImage } from './judge-image.js';
import { proveBite } from './prove-bite.js';
import { ledgerOf, newStore, Recording, type Start } from './recording.js';
import { Tracer } from './tracer.js';

const COUNT = 3_000;
const SHORT_COUNT = 500;
const CUTS_OF_A_RECORDING = 50;
/** Failures after which it stops: more of them tell nothing new. */
const ENOUGH_FAILURES = 5;
/** A store that has seen so many runs is left for a new one, so that making one is cut too. */
const GENERATIONS = 8;
/** The share of cuts that the next run could begin with; the latest of them decides, or the kill if there is none. */
const SHARE_TO_GO_ON_FROM = 0.02;

/**
 * Records all that the service does to its files under load, and cuts the power at many points of it: what was not synced
 * is lost, torn or reordered. The next run begins with what a cut, or a kill, has left; so recoveries are cut too.
 */
export const runCuts: Part = async ({ seed, count, isShort, replay }) => {
  if (replay !== undefined) return judgeAgain(replay);
  const tracer = Tracer.compile(await mkdtemp(join(tmpdir(), 'cuts-')));
  if (tracer === undefined) {
    return { figures: [], failures: [], notRun: 'the power cuts need a C compiler, cc, which is missing' };
  }
  const random = new Random(seed);
  const cuts = new Cuts(count ?? (isShort ? SHORT_COUNT : COUNT));
  let start = newStore;
  for (let run = 1; !cuts.isDone; run++) {
    const recording = await Recording.make(tracer, start, random.fork());
    start = await cuts.judgeSome(recording, random);
    if (run % GENERATIONS === 0) start = newStore;
  }
  const bite = await proveBite(tracer, random);
  return {
    figures: [
      { what: 'power cuts', value: cuts.done },
      { what: 'of them while the store recovers', value: cuts.inRecovery },
      { what: 'runs recorded', value: cuts.recordings },
      { what: 'tables that LevelDB wrote in them', value: cuts.tables },
      { what: 'answered names, checked at each cut after', value: cuts.names },
      { what: 'scans announced by an event, checked at each cut after', value: cuts.scans },
      { what: 'provisional scans, checked at each cut after', value: cuts.holdings },
      { what: 'indicated taps, checked at each cut after', value: cuts.indications },
      ...bite.figures,
    ],
    failures: [...cuts.failures, ...bite.missed],
  };
};

/** Cuts that were judged, and what came of them. */
class Cuts {
  readonly failures: string[] = [];
  done = 0;
  inRecovery = 0;
  recordings = 0;
  tables = 0;
  names = 0;
  scans = 0;
  holdings = 0;
  indications = 0;
  readonly #total: number;

  constructor(total: number) {
    this.#total = total;
  }

  get isDone(): boolean {
    return this.done >= this.#total || this.failures.length >= ENOUGH_FAILURES;
  }

  /** Judges some cuts of a recording, and says what the next one begins with. */
  async judgeSome(recording: Recording, random: Random): Promise<Start> {
    const { history } = recording;
    let start = recording.next(buildFinal(history), history.length);
    this.recordings++;
    this.tables += history.renamings.filter(({ to }) => to?.endsWith('.ldb')).length;
    for (let n = 0; n < CUTS_OF_A_RECORDING && !this.isDone; n++) {
      const chosen: Case = {
        at: recording.chooseCut(random),
        fileSystem: random.pick(fileSystems),
        seed: random.between(0, 2 ** 32 - 1),
      };
      const image = buildImage(history, chosen, new Random(chosen.seed));
      const notes = recording.notesUntil(chosen.at);
      const problems = problemsOf(await judgeImage(image, notes));
      if (problems.length > 0) this.failures.push(await keepCase(recording, chosen, problems));
      else if (random.chance(SHARE_TO_GO_ON_FROM)) start = recording.next(image, chosen.at);
      this.#count(recording, chosen.at, notes);
    }
    return start;
  }

  #count({ start, loadBegins }: Recording, at: number, notes: readonly string[]): void {
    const { answers, attendances, holdings, indications } = ledgerOf(notes);
    this.done++;
    if (start.generation > 0 && at <= loadBegins) this.inRecovery++;
    this.names += answers;
    this.scans += attendances;
    this.holdings += holdings;
    this.indications += indications;
    if (this.done % 500 === 0) console.error(`  ${this.done} cuts`);
  }
}
