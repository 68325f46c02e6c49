import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '../ledger/ledger.js';
import type { Random } from '../random.js';
import { loadUntilKilled, type Extent } from '../service/load.js';
import { readService } from '../service/read-service.js';
import { BASE_SECONDS, ServiceProcess } from '../service/service-process.js';
import { refusalBy, type Verdict } from '../verdict.js';

/**
 * Seconds by which the clock is put forward between two runs: more than the taps of a run take, and enough to have an
 * old day soon.
 */
const RUN_SECONDS = 40_000;
/** The share of kills that fall into a start, in which LevelDB makes a table of its log and compacts. */
const SHARE_AT_START = 0.3;
/** Opening the store takes a few milliseconds, or some tens if there is much to compact. */
const OPENING_MS = 40;
/** Most acknowledgements before the service is killed: LevelDB has switched small tables by then. */
const MOST_ACKNOWLEDGEMENTS = 600;
/**
 * One of this many kills under load waits until the desk has done each of its tasks once: otherwise the desk seldom
 * erases anybody.
 */
const KILLS_FOR_A_ROUND = 6;
/** The share of runs that begin with an unsynchronised clock, and how many scans they keep until it is synchronised. */
const SHARE_OF_DOUBT = 0.3;
const MOST_DOUBTED = 300;
/** So small that LevelDB switches and compacts under a load of less than a second. */
const SMALL_TABLE_BYTES = '65536';

/** A store whose service is killed many times, and the ledger of all that it acknowledged. */
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

  /**
   * Starts the service, judges the store that the kills before have left, and kills the service: during its start, or
   * under load.
   */
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

  /** Starts the service, judges its data, and kills it under load. */
  async killUnderLoad(
    random: Random,
    env: Readonly<Record<string, string>> = {},
    extent: Partial<Extent> = {},
  ): Promise<Verdict> {
    const { service } = this.#start(env);
    const verdict = await this.#judge(service);
    if (verdict.refusal !== undefined || verdict.broken.length > 0) return verdict;
    await loadUntilKilled(service, this.ledger, random, {
      acknowledgements: random.between(0, MOST_ACKNOWLEDGEMENTS),
      ...extent,
    });
    this.killsUnderLoad++;
    return verdict;
  }

  /** Starts the service once more, and judges its data. */
  async judge(): Promise<Verdict> {
    const { service } = this.#start({});
    const verdict = await this.#judge(service);
    await service.kill();
    return verdict;
  }

  /**
   * Judges the data of a service. From then on they must stay, unless a scan waits for its day. If there is a
   * problem, the service is stopped.
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
        // All other notes are known from outside: from answers and events.
        if (/^(?:indicated|held|told) /.test(line)) this.ledger.take(line);
      },
    });
    void service.gone.then(resolve);
    return { service, opening };
  }
}
