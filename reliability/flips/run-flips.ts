import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Contents } from '../ledger/contents.js';
import type { Part } from '../part.js';
import { Random } from '../random.js';
import { ScratchFolder } from '../scratch-folder.js';
import { flipStore, type FlipOutcome, type Opener } from './flip-store.js';
import { makeKnownStores } from './known-stores.js';
import { OpenerProcess } from './opener-process.js';
import { planFlips, type Flip } from './plan-flips.js';
import { proveBite } from './prove-bite.js';
import { ServiceOpener } from './service-opener.js';

const COUNT = 3_000;
const SHORT_COUNT = 150;
/** One of this many flips is tried with the whole service, which takes longer. */
const FLIPS_OF_A_SERVICE = 50;
/** Processes that open stores side by side. */
const LANES = 2;
/** Failures after which the run stops: more of them give no new information. */
const ENOUGH_FAILURES = 10;

/**
 * Flips single bits in each kind of file of a store, and starts it with `--on-damage repair` while clients request
 * all data. No signal may end a start, the third start must serve, and a store that reports no damage must have none.
 */
export const runFlips: Part = async ({ seed, count, isShort, replay }) => {
  await using scratch = new ScratchFolder('flips-');
  const folder = scratch.path;
  const total = count ?? (isShort ? SHORT_COUNT : COUNT);
  const stores = await makeKnownStores(folder);
  const plan = planFlips(stores, total, new Random(seed));
  const flips = [...plan].flatMap(([what, each]) => each.map((flip) => ({ what, flip })));
  const chosen = [...flips.entries()].filter(([n]) => replay === undefined || n === Number(replay));

  const before = await readAll(stores, folder);
  const run = new FlipRun(`--count ${total} --seed ${seed}`, chosen, before);
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) => run.takeFlips(join(folder, `flipped-${lane}`))),
  );
  const bite = await proveBite(stores, folder);
  return {
    figures: [
      { what: 'flipped bits', value: run.done },
      ...[...plan].map(([what, { length }]) => ({ what: `of them in ${what}`, value: length })),
      {
        what: 'of them while the store was open',
        value: flips.filter(({ flip }) => flip.isWhileOpen).length,
      },
      { what: 'of them started by the whole service', value: run.byService },
      ...run.figures,
      ...bite.figures,
    ],
    failures: [...run.failures, ...bite.missed],
  };
};

type Numbered = readonly [number, { readonly what: string; readonly flip: Flip }];

/** Judges flips side by side, and counts the results. */
class FlipRun {
  readonly failures: string[] = [];
  done = 0;
  byService = 0;
  #mostStarts = 0;
  #lost = 0;
  #mostLost = 0;
  readonly #results = new Map<FlipOutcome['result'], number>();
  readonly #left: IterableIterator<Numbered>;
  /** The options that plan the same flips. */
  readonly #options: string;
  readonly #before: ReadonlyMap<string, Contents>;

  constructor(options: string, flips: readonly Numbered[], before: ReadonlyMap<string, Contents>) {
    this.#options = options;
    this.#left = flips.values();
    this.#before = before;
  }

  get figures(): readonly { readonly what: string; readonly value: number }[] {
    const counted = (result: FlipOutcome['result']): number => this.#results.get(result) ?? 0;
    return [
      { what: 'repaired', value: counted('repaired') },
      { what: 'opened without a repair, nothing lost', value: counted('unnoticed') },
      { what: 'open stores ended by LevelDB, and repaired', value: counted('ended and repaired') },
      { what: 'names, entries and scans lost, or left in an older state', value: this.#lost },
      { what: 'of them by one flip, at most', value: this.#mostLost },
      { what: 'starts until the service worked, at most', value: this.#mostStarts },
    ];
  }

  /** Judges flips until none is left. */
  async takeFlips(folder: string): Promise<void> {
    using process = new OpenerProcess();
    const service = new ServiceOpener();
    for (const [n, { what, flip }] of this.#left) {
      const isForService = n % FLIPS_OF_A_SERVICE === 0 && !flip.isWhileOpen;
      if (isForService) this.byService++;
      await this.#judge(n, what, flip, folder, isForService ? service : process);
      if (this.failures.length >= ENOUGH_FAILURES) return;
    }
  }

  async #judge(n: number, what: string, flip: Flip, folder: string, opener: Opener): Promise<void> {
    const before = this.#before.get(flip.store);
    if (before === undefined) throw new RangeError(`nobody has read ${flip.store}`);
    const { result, starts, lost, problems } = await flipStore(flip, before, folder, opener);
    this.done++;
    this.#lost += lost;
    this.#mostLost = Math.max(this.#mostLost, lost);
    this.#mostStarts = Math.max(this.#mostStarts, flip.isWhileOpen ? starts - 1 : starts);
    this.#results.set(result, (this.#results.get(result) ?? 0) + 1);
    if (this.done % 500 === 0) console.error(`  ${this.done} flips`);
    if (problems.length === 0) return;
    const { file, byte, bit, isWhileOpen } = flip;
    this.failures.push(
      `flip ${n} (${what}), bit ${bit} of byte ${byte} of ${file}${isWhileOpen ? ' while it was open' : ''}: ` +
        `${problems.slice(0, 5).join('\n  ')}\n` +
        `  the same flip again: npm run reliability -- flips ${this.#options} --replay ${n}`,
    );
  }
}

/** The contents of undamaged copies. Sound stores must open without a notice. */
async function readAll(stores: readonly string[], folder: string): Promise<ReadonlyMap<string, Contents>> {
  using process = new OpenerProcess();
  const all = new Map<string, Contents>();
  for (const store of stores) {
    const path = join(folder, 'sound');
    rmSync(path, { recursive: true, force: true });
    cpSync(store, path, { recursive: true });
    const opening = await process.open({ path });
    if ('signal' in opening || opening.contents === undefined || opening.notices.length > 0) {
      throw new Error(`a sound store is not opened: ${JSON.stringify(opening)}`);
    }
    all.set(store, opening.contents);
  }
  return all;
}
