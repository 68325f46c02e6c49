import { openAll, type Lifecycle } from '@tallybook/domain';
import { randomOf, type Random } from '../../random.js';
import { Disk, type DiskHealth, type WriteMoment } from '../virtual/disk.js';
import { Life } from '../virtual/life.js';
import type { Scheduler } from '../virtual/scheduler.js';
import type { Trace } from '../virtual/trace.js';
import { VirtualClock, type Timepiece } from '../virtual/virtual-clock.js';

/** Parts that everything in a simulated world shares. */
export interface Ground {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
}

/** The parts of a run of a program. */
export interface Run {
  readonly life: Life;
  readonly clock: VirtualClock;
  readonly disk: Disk;
}

/** Milliseconds after which systemd restarts a failed program. */
const RESTART_MS = 1_000;

/** A program on a machine. It is started, ends without notice, and is started again. */
export abstract class Program {
  readonly name: string;
  readonly timepiece: Timepiece;
  protected readonly ground: Ground;
  protected readonly random: Random;
  readonly #health: DiskHealth;
  #life: Life | undefined;
  /** The moment of its next write at which it ends. */
  #ambush: { readonly moment: WriteMoment; readonly spring: () => void } | undefined;
  #runs = 0;

  constructor(name: string, ground: Ground, health: DiskHealth) {
    this.name = name;
    this.ground = ground;
    this.random = randomOf(ground.seed, name);
    this.#health = health;
    this.timepiece = { aheadSeconds: 0, isSynchronised: true, bootId: `${name} boot 0`, bootedAtMs: 0 };
  }

  /** Starts it, unless it is running. */
  start(): void {
    if (this.#life !== undefined) return;
    const { scheduler } = this.ground;
    const life = new Life();
    this.#life = life;
    const clock = new VirtualClock(scheduler, this.timepiece, life);
    const onWrite = (moment: WriteMoment): void => {
      const ambush = this.#ambush;
      if (ambush?.moment === moment) ambush.spring();
    };
    const random = randomOf(this.ground.seed, `${this.name} run ${this.#runs++}`);
    const disk = new Disk({ scheduler, life, random, health: this.#health, onWrite });
    this.note('starts');
    openAll(this.onStart({ life, clock, disk })).catch((error: unknown) => {
      if (this.#life !== life) return;
      this.note(`could not start: ${String(error)}`);
      this.#end();
      scheduler.after(RESTART_MS, () => this.start());
    });
  }

  /** Ends it without notice. Nothing waits for its answers any more. */
  crash(isReboot: boolean): void {
    this.#ambush = undefined;
    if (this.#life === undefined) return;
    this.note(isReboot ? 'loses its power' : 'is killed');
    this.#end();
    if (!isReboot) return;
    this.timepiece.bootId = `${this.name} boot ${this.#runs}`;
    this.timepiece.bootedAtMs = this.ground.scheduler.nowMs;
  }

  /** Cancels an {@link ambush}. */
  calm(): void {
    this.#ambush = undefined;
  }

  /** Makes it end at a moment of its next write. */
  ambush(moment: WriteMoment, spring: () => void): void {
    this.#ambush = { moment, spring };
  }

  note(what: string): void {
    this.ground.trace.note(this.ground.scheduler.nowMs, this.name, what);
  }

  /** Random numbers for the ids of persons who are added in one run. */
  protected newPersons(): Random {
    return randomOf(this.ground.seed, `persons of ${this.name}, run ${this.#runs}`);
  }

  /** Builds the parts of a run. They are opened in the returned order. */
  protected abstract onStart(run: Run): readonly Lifecycle[];
  /** Called when the run has ended. */
  protected abstract onEnd(): void;

  #end(): void {
    this.#life?.end();
    this.#life = undefined;
    this.onEnd();
  }
}
