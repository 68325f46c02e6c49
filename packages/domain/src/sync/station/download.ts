import { isTallybookError, TallybookError, type ErrorCode } from '../../errors.js';
import type { Gate } from '../../record/gate.js';
import { ManagedResource } from '../../lifecycle.js';
import type { Clock } from '../../ports/clock.js';
import type { Cursor, Journal } from '../../ports/record/journal.js';
import type { SyncTransport } from '../ports/sync-transport.js';
import type { Subscription } from '../../subscribable.js';
import type { Day } from '../../values/day.js';
import { type DownItem, type SyncChanges, type SyncPosition } from '../values/sync.js';
import { applyItems, type ApplyDependencies } from './apply-items.js';
import { invalidSync } from '../items/parse-items.js';
import { mustWait } from './waiting-changes.js';

export interface DownloadOptions extends ApplyDependencies {
  readonly journal: Journal;
  readonly transport: SyncTransport;
  readonly clock: Clock;
  readonly edits: Gate;
  /** Cursor of the last change of this device that the centre has. */
  readonly sent: () => Cursor;
  /** Makes sure that the centre has all sent changes: sends lost ones again. */
  readonly confirm: () => Promise<void>;
  /** Sends the whole record of this device to a centre that it has never followed. */
  readonly sendAll: () => Promise<void>;
  readonly onChanges: (terms: Pick<SyncChanges, 'keepFrom'>) => Promise<void>;
  readonly onContact: () => void;
  readonly onInvalid: (codes: readonly ErrorCode[] | undefined) => void;
  readonly onFault: (error: unknown) => void;
  readonly retryDelayMs: (attempt: number) => number;
}

/** How long the centre is asked to wait for changes, in milliseconds. */
const WAIT_MS = 25_000;
/** How many items of a snapshot are applied at a time. */
const GROUP_SIZE = 500;
/**
 * Consumer in this device's journal. Its position is 1 while the snapshot of the centre must still be taken after a repair,
 * else 0.
 */
const AFTER_REPAIR = 'upstream after-repair';
/** Maximum time between two looks for changes that wait to be sent, in milliseconds. */
const LOOK_MS = 10_000;

/**
 * Follows the changes of a centre, and applies them.
 *
 * ```
 * where were we? -> changes -> nothing waits to be sent? -> apply -> note the place -> changes ...
 *                     \-> SYNC_TOO_OLD -> send what the centre lost -> snapshot -> apply -> note the place -> changes ...
 * ```
 */
export class Download extends ManagedResource {
  readonly #options: DownloadOptions;
  #position: SyncPosition | undefined;
  /** The last known journal of the centre, and the journal of the centre to which the whole record was sent. */
  #origin: string | undefined;
  #sentAllTo: string | undefined;
  #needsAll = false;
  /** Whether the centre no longer has the changes after this device's place. */
  #isTooOld = false;
  #isRunning = false;
  #working: Promise<void> | undefined;
  /** Ends the present pause. */
  #endPause: () => void = () => undefined;
  /** Called when changes were sent. */
  #look: () => void = () => undefined;

  constructor(options: DownloadOptions) {
    super();
    this.#options = options;
  }

  /** Call it when changes were sent: perhaps none wait any more. */
  look(): void {
    this.#look();
  }

  /** Ends the wait after a failure. */
  wake(): void {
    this.#endPause();
  }

  /** Takes the whole snapshot again, because the centre lost data. */
  startOver(): void {
    this.#needsAll = true;
  }

  /**
   * Takes the whole snapshot again, because this device lost data. Resolves when the journal has noted this, so that it also
   * happens after a restart.
   */
  async startOverAfterRepair(): Promise<void> {
    this.#needsAll = true;
    await this.#options.journal.advance(AFTER_REPAIR, 1);
  }

  protected override async onOpen(): Promise<void> {
    if ((await this.#options.journal.position(AFTER_REPAIR)) === 1) this.#needsAll = true;
    this.#isRunning = true;
    this.#position = undefined;
    this.#working = this.#follow();
  }

  /** Begins no more calls. Call it before you abort the calls under way and close this. */
  stop(): void {
    this.#isRunning = false;
    this.#endPause();
    this.#look();
  }

  protected override async onClose(): Promise<void> {
    this.stop();
    await this.#working;
  }

  async #follow(): Promise<void> {
    let attempts = 0;
    while (this.#isRunning) {
      try {
        await this.#step();
        attempts = 0;
      } catch (error) {
        if (isTallybookError(error, 'SYNC_TOO_OLD')) {
          this.#needsAll = true;
          this.#isTooOld = true;
          // The centre may have another journal now.
          this.#position = undefined;
        } else this.#options.onFault(error);
        attempts++;
        await this.#pause(this.#options.retryDelayMs(attempts));
      }
    }
  }

  async #step(): Promise<void> {
    const { transport, onContact, onChanges, onInvalid } = this.#options;
    this.#position ??= await this.#locate();
    // A call that begins after the calls under way were aborted would hold up the closing for as long as the centre waits.
    this.#requireRunning();
    if (this.#needsAll || this.#position === undefined) return this.#takeAll();
    const { items, origin, cursor, invalid, ...terms } = await transport.changes(this.#position, WAIT_MS);
    onContact();
    onInvalid(invalid);
    await this.#apply(items);
    await onChanges(terms);
    await this.#advance({ origin, cursor });
  }

  /** The place of this device in the present journal of the centre; `undefined` if it has none. */
  async #locate(): Promise<SyncPosition | undefined> {
    const { origin, erasureKey } = await this.#options.transport.changes(undefined, 0);
    if (erasureKey !== undefined) await this.#options.erasures.adoptKey(erasureKey);
    this.#origin = origin;
    const cursor = await this.#options.journal.position(nameOf(origin));
    return cursor === undefined ? undefined : { origin, cursor };
  }

  /**
   * Makes sure that the centre has all sent changes. A centre with another journal gets the whole record, once: cursors may
   * have been used twice at either place, so it is unknown which changes of this device the centre has.
   */
  async #confirm(): Promise<void> {
    const { confirm, sendAll } = this.#options;
    if (this.#position !== undefined || this.#sentAllTo === this.#origin) return confirm();
    await sendAll();
    this.#sentAllTo = this.#origin;
  }

  async #takeAll(): Promise<void> {
    const { transport, onContact, onInvalid } = this.#options;
    // First, or an older copy of the centre would undo the changes that it lost.
    await this.#confirm();
    this.#requireRunning();
    this.#needsAll = false;
    try {
      let head: SyncPosition | undefined;
      let taken = 0;
      let isWhole = false;
      let group: DownItem[] = [];
      for await (const part of transport.snapshot()) {
        this.#requireRunning();
        onContact();
        if (part.kind === 'head') head = this.#placeOf(part);
        else if (part.kind === 'end') isWhole = part.items === taken;
        else {
          taken++;
          if (part.kind === 'invalid') onInvalid(part.invalid);
          else group.push(part);
        }
        if (group.length < GROUP_SIZE) continue;
        await this.#apply(group);
        group = [];
      }
      if (head === undefined || !isWhole) throw invalidSync('the snapshot of the centre was cut short');
      await this.#apply(group);
      await this.#noteTaken();
      // A snapshot does not show removed days. The changes after this device's place do, if they are known.
      if (this.#position !== undefined && !this.#isTooOld) return;
      await this.#advance(head);
      this.#isTooOld = false;
    } catch (error) {
      this.#needsAll = true;
      throw error;
    }
  }

  async #noteTaken(): Promise<void> {
    // Another repair may have been noted meanwhile.
    if (!this.#needsAll) await this.#options.journal.advance(AFTER_REPAIR, 0);
  }

  /**
   * The place after which changes follow the snapshot.
   *
   * @throws {TallybookError} `SYNC_TOO_OLD` if the centre has another journal meanwhile: then it does not have the sent
   * changes.
   */
  #placeOf({ origin, cursor }: SyncPosition): SyncPosition {
    if (origin === this.#origin) return { origin, cursor };
    throw new TallybookError('SYNC_TOO_OLD', 'the centre has another journal now');
  }

  /** Applies items as soon as no change waits that they would overwrite. */
  async #apply(items: readonly DownItem[]): Promise<void> {
    if (items.length === 0) return;
    const { journal, edits, sent } = this.#options;
    const days = new Set<Day>();
    for (const item of items) if (item.kind === 'day') days.add(item.day);
    for (;;) {
      this.#requireRunning();
      const progress = new Promise<void>((resolve) => (this.#look = resolve));
      const isApplied = await edits.run(async () => {
        if (await mustWait(journal, sent(), days)) return false;
        await applyItems(items, this.#options);
        return true;
      });
      if (isApplied) return;
      // Waiting changes may also be removed without being sent, such as those of a removed day.
      await this.#pause(LOOK_MS, progress);
    }
  }

  #requireRunning(): void {
    if (this.#isRunning) return;
    throw new TallybookError('UPSTREAM_UNAVAILABLE', 'the device has stopped asking');
  }

  async #advance(position: SyncPosition): Promise<void> {
    this.#position = position;
    await this.#options.journal.advance(nameOf(position.origin), position.cursor);
  }

  async #pause(delayMs: number, sooner?: Promise<void>): Promise<void> {
    let timer: Subscription | undefined;
    await new Promise<void>((resolve) => {
      this.#endPause = resolve;
      void sooner?.then(resolve);
      timer = this.#options.clock.schedule(delayMs, resolve, { holdsProgram: false });
      if (!this.#isRunning) resolve();
    });
    timer?.unsubscribe();
  }
}

/** Consumer in this device's journal. Its position is the place in the journal of the centre. */
function nameOf(origin: string): string {
  return `upstream ${origin}`;
}
