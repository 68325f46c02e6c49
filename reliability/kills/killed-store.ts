import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '../ledger/ledger.js';
import type { Random } from '../random.js';
import { Load, type Extent } from '../service/load.js';
import { readService } from '../service/read-service.js';
import { ServiceProcess } from '../service/service-process.js';
import { refusalBy, type Verdict } from '../verdict.js';

/** Long after the program was built. */
const BASE_SECONDS = 2_000_000_000;
/** How far the clock is put forward between two runs: each tap takes a second, and there is a day to remove soon. */
const RUN_SECONDS = 40_000;
/** The share of kills that fall into a start, in which LevelDB makes a table of its log and compacts. */
const SHARE_AT_START = 0.3;
/** Opening the store takes a few milliseconds, and some tens when there is much to compact. */
const OPENING_MS = 40;
/** After how many acknowledgements the service is killed at the latest: LevelDB has switched small tables by then. */
const MOST_ACKNOWLEDGEMENTS = 600;
/** At most so long after the last of them: a write takes a few milliseconds, and any moment of it will do. */
const PHASE_MS = 20;
/** One in so many kills under load comes after people at the desk have done everything once: otherwise they seldom erase anybody. */
const KILLS_FOR_A_ROUND = 6;
/** The share of runs that begin with a clock that is not synchronised, and how many scans they keep until it is. */
const SHARE_OF_DOUBT = 0.3;
const MOST_DOUBTED = 300;
/** So small that LevelDB switches and compacts under a load of less than a second. */
const SMALL_TABLE_BYTES = '65536';

/** A store on which the service is killed again and again, and what it acknowledged over all that time. */
export class KilledStore {
  readonly ledger: Ledger = new Ledger();
  readonly path: string;
  readonly #env: Readonly<Record<string, string>>;
  #baseSeconds = BASE_SECONDS;
  killsUnderLoad = 0;
  killsAtStart = 0;

  constructor(path: string, env: Readonly<Record<string, string>> = {}) {
    this.path = path;
    this.#env = env;
  }

  /** Starts the service, judges what the kills before have left, and kills it: amid its start, or under load. */
  async killOnce(random: Random): Promise<Verdict> {
    const env = {
      ...(random.chance(0.5) ? { TABLE_BYTES: SMALL_TABLE_BYTES } : {}),
      ...(random.chance(SHARE_OF_DOUBT) ? { DOUBTED: String(random.between(1, MOST_DOUBTED)) } : {}),
    };
    if (!random.chance(SHARE_AT_START)) {
      return this.killUnderLoad(random, env, { withRound: this.killsUnderLoad % KILLS_FOR_A_ROUND === 0 });
    }
    const { service, opening } = this.#start(env);
    await opening;
    await delay(random.next() * OPENING_MS);
    await service.kill();
    this.killsAtStart++;
    return { broken: [] };
  }

  /** Starts the service, judges what is there, and kills it under load. */
  async killUnderLoad(
    random: Random,
    env: Readonly<Record<string, string>> = {},
    { acknowledgements = random.between(0, MOST_ACKNOWLEDGEMENTS), withRound = false }: Extent = {},
  ): Promise<Verdict> {
    const { service } = this.#start(env);
    const verdict = await this.#judge(service);
    if (verdict.refusal !== undefined || verdict.broken.length > 0) return verdict;
    const load = new Load(service, await service.url(), this.ledger, random);
    try {
      await load.acknowledged(acknowledgements);
      if (withRound) await load.round;
      await delay(random.next() * PHASE_MS);
    } finally {
      await service.kill();
    }
    await load.done;
    this.killsUnderLoad++;
    return verdict;
  }

  /** Starts the service once more, and says what is wrong with what it shows. */
  async judge(): Promise<Verdict> {
    const { service } = this.#start({});
    const verdict = await this.#judge(service);
    await service.kill();
    return verdict;
  }

  /**
   * From now on, what is there must stay there, unless something waits for its day. If something is wrong, the service
   * is stopped.
   */
  async #judge(service: ServiceProcess): Promise<Verdict> {
    try {
      const contents = await readService(await service.url(), this.ledger);
      const broken = this.ledger.judge(contents);
      if (broken.length > 0) await service.kill();
      if (contents.provisional.length === 0) this.ledger.settle(contents);
      return { broken };
    } catch (error) {
      await service.kill();
      return refusalBy(error);
    }
  }

  #start(env: Readonly<Record<string, string>>): {
    readonly service: ServiceProcess;
    readonly opening: Promise<void>;
  } {
    this.#baseSeconds += RUN_SECONDS;
    let resolve = (): void => undefined;
    const opening = new Promise<void>((isOpening) => (resolve = isOpening));
    const service = new ServiceProcess({
      store: this.path,
      baseSeconds: this.#baseSeconds,
      env: { ...this.#env, ...env },
      onNote: (line) => {
        if (line === 'opening') resolve();
        // What else it notes is known from outside: from its answers and events.
        if (/^(?:indicated|held|told) /.test(line)) this.ledger.take(line);
      },
    });
    void service.gone.then(resolve);
    return { service, opening };
  }
}
