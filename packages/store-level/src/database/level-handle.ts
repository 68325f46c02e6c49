import { decodeRow } from '../rows/codec.js';
import {
  Emitter,
  isPermanentFailure,
  isTallybookError,
  ManagedResource,
  type TallybookError,
} from '@tallybook/domain';
import { ConsumerPositions } from '@tallybook/domain/record';
import type { CountedLevel } from './counted-level.js';
import type { JournalEnd } from './journal-end.js';
import { leaveDamageMark } from '../directory/damage-mark.js';
import { copyBeforeMigration } from '../directory/migration-copy.js';
import { isDiskFull, toOpenError, toReadError } from '../level/level-errors.js';
import type { LevelDatabaseOptions } from './level-options.js';
import { openLevel, reopenLevel, type BeforeMigration, type OpenedLevel } from './open-level.js';
import { type RawLevel, compactAll, removeOldNotes } from '../level/raw-level.js';
import { openReadingCopy, removeReadingCopies, removeReadingCopy } from './reading-copy.js';
import { repairDirectory, type RepairReport } from '../repair/repair-store.js';
import { storageFormat } from '../rows/format-row.js';
import { Revisions } from './revisions.js';
import { Reads } from './reads.js';
import { RowCheck } from './row-check.js';
import type { CommitCount } from '../directory/acknowledged-commits.js';
import {
  claimDirectory,
  releaseDirectory,
  requireSpace,
  requireStore,
} from '../directory/store-directory.js';

const CHECK_AFTER_MS = 5_000;

/**
 * The LevelDB of a directory, replaced by a newly opened one after a failed write.
 *
 * After a failed write, for example on a full disk, LevelDB continues to accept writes and may lose them at the next start. So a
 * writer calls {@link distrust} after a failed write. The next write closes the LevelDB and opens it again; if that fails, the
 * write after it tries again. Meanwhile reads use the old one, because a LevelDB cannot be opened on a full disk. A store that is
 * opened on a full disk is read from a copy in another folder until then.
 */
export class LevelHandle extends ManagedResource {
  /** They change with every opening, and after every failed write, because the write may have happened. */
  readonly revisions: Revisions = new Revisions();
  /** Emits when changes were added to the journal. */
  readonly appended: Emitter<void> = new Emitter();
  /** Positions of the consumers of the journal. */
  readonly positions: ConsumerPositions = new ConsumerPositions();
  readonly path: string;
  readonly #options: LevelDatabaseOptions;
  #directory = '';
  #level: CountedLevel | undefined;
  /** The commits that the store must have when it is opened again after a failed write. */
  #expected: CommitCount | undefined;
  #isDistrusted = false;
  /** The folder in which the store is read on a full disk; `undefined` for its own folder. */
  #copy: string | undefined;
  #reopening: Promise<void> | undefined;
  #rowCheck: RowCheck | undefined;
  readonly #reads: Reads = new Reads();
  /** Whether damage was reported since the opening, and marked on the disk for the next opening. */
  #isDamageReported = false;
  #marking: Promise<boolean> | undefined;
  /** Whether it was reported that somebody has to repair the disk. */
  #isBrokenReported = false;

  constructor(path: string, options: LevelDatabaseOptions) {
    super();
    this.path = path;
    this.#options = options;
  }

  /**
   * Reads. A failure of LevelDB rejects as `STORE_READ_FAILED` or `STORE_CORRUPT`.
   *
   * @param work Calls LevelDB once, in the turn in which it is called: closing waits for calls that have begun, and refuses later
   * ones.
   */
  read<T>(work: (level: RawLevel, journal: JournalEnd) => Promise<T>): Promise<T> {
    return this.run(() =>
      this.#reads.during(async () => {
        try {
          while (this.#level === undefined) await this.#reopen();
        } catch (error) {
          throw toReadError(this.path, error);
        }
        try {
          return await work(this.#level.raw, this.#level.journal);
        } catch (error) {
          throw await this.explain(error);
        }
      }),
    );
  }

  /** Number of former states that are kept readable. */
  get heldViews(): number {
    return this.#reads.held;
  }

  /** Keeps the present state readable until the returned function is called. */
  hold(): () => void {
    return this.#reads.hold();
  }

  /**
   * Writes all files anew, without deleted rows. Nothing may be written meanwhile; reads wait until it has ended.
   *
   * @returns Whether it was done. It is not done while somebody {@link hold}s a former state.
   */
  compact(): Promise<boolean> {
    return this.run(async () => {
      const { raw } = await this.writable();
      if (this.#reads.areHeld) return false;
      await compactAll(raw);
      // LevelDB has written keys into its notes, and into the list of its files. It begins that list anew when it is opened.
      return this.#reads.without(async () => {
        this.distrust();
        await this.writable();
        await removeOldNotes(this.#directory);
      });
    });
  }

  /** The directory that holds the files. */
  get directory(): string {
    return this.#directory;
  }

  /** Translates the error of a read. Damage is marked on the disk for the next opening. */
  async explain(error: unknown): Promise<TallybookError> {
    const failure = toReadError(this.path, error);
    if (failure.code === 'STORE_CORRUPT') await this.#noteDamage(failure);
    return failure;
  }

  /** What a row says; `undefined` if it is damaged: that is marked on the disk for the next opening. */
  async decoded<T>(key: Buffer, decode: () => T): Promise<T | undefined> {
    try {
      return decodeRow(key, decode);
    } catch (error) {
      await this.explain(error);
      return undefined;
    }
  }

  /** Does a read that goes by damaged rows: each is marked on the disk for the next opening. */
  async goingBy<T>(read: (goBy: (error: TallybookError) => void) => Promise<T>): Promise<T> {
    const damages: TallybookError[] = [];
    const result = await read((error) => damages.push(error));
    for (const damage of damages) await this.explain(damage);
    return result;
  }

  /** The LevelDB to write to. It stays open until {@link distrust} is called. */
  async writable(): Promise<CountedLevel> {
    while (this.#level === undefined || this.#isDistrusted) await this.#reopen();
    return this.#level;
  }

  /** Call it when a write has failed. */
  distrust(): void {
    this.#isDistrusted = true;
    this.revisions.renew();
  }

  /** Call it after each write, with its error if it has failed. Reports once that somebody has to repair the disk, or has done. */
  noteWrite(error?: TallybookError): void {
    const isBroken = isPermanentFailure(error);
    if (isBroken === this.#isBrokenReported || (error !== undefined && !isBroken)) return;
    this.#isBrokenReported = isBroken;
    const { path } = this;
    this.#options.notify?.(
      error === undefined ? { kind: 'writable', path } : { kind: 'unwritable', path, error },
    );
  }

  protected override async onOpen(): Promise<void> {
    try {
      this.#directory = await claimDirectory(this.path);
    } catch (error) {
      throw toOpenError(this.path, error);
    }
    this.#isDistrusted = false;
    try {
      const { level, isNew, isEndUnknown } = await this.#openOrRepair();
      this.#level = level;
      await removeReadingCopies(this.#directory);
      const { notify } = this.#options;
      if (isNew) notify?.({ kind: 'created', path: this.path });
      if (isEndUnknown) notify?.({ kind: 'unknown-end', path: this.path });
      for (const file of level.unusable) notify?.({ kind: 'unguarded', path: this.path, file });
    } catch (error) {
      const failure = toOpenError(this.path, error);
      // LevelDB's own lock would refuse the next attempt.
      await this.#closeLevel().catch(() => undefined);
      if (!(await this.#openCopy(failure))) {
        releaseDirectory(this.#directory);
        throw failure;
      }
    }
    this.#isDamageReported = false;
    this.#isBrokenReported = false;
    this.#marking = undefined;
    this.revisions.renew();
    this.positions.clear();
    this.#checkRows();
  }

  protected override async onClose(): Promise<void> {
    await this.#rowCheck?.stop();
    this.#rowCheck = undefined;
    await this.#closeLevel();
    releaseDirectory(this.#directory);
  }

  async #openOrRepair(): Promise<OpenedLevel> {
    let report: RepairReport | undefined;
    for (;;) {
      const opened = await this.#openUnlessDamaged();
      const isDamaged = isTallybookError(opened);
      if (report !== undefined && (!isDamaged || report.keptIn !== undefined)) {
        this.#options.notify?.({ kind: 'repaired', path: this.path, report });
      }
      if (!isDamaged) return opened;
      if (report?.keptIn !== undefined) throw opened;
      if (report === undefined) {
        const reason = String(opened.details['reason'] ?? opened.message);
        this.#options.notify?.({ kind: 'repairing', path: this.path, reason });
      }
      // A store that a repair finds sound counts as damaged if LevelDB refuses it.
      report = await repairDirectory(this.#directory, report === undefined ? undefined : opened.message);
    }
  }

  /** Opens the store. If damage is to be repaired, resolves with the error of a damaged store. */
  async #openUnlessDamaged(): Promise<OpenedLevel | TallybookError> {
    try {
      const { onOpening } = this.#options;
      return await openLevel(this.#directory, { beforeMigration: this.#prepareMigration, onOpening });
    } catch (error) {
      const failure = toOpenError(this.path, error);
      if (this.#options.repairsDamage === true && isTallybookError(failure, 'STORE_CORRUPT')) return failure;
      throw failure;
    }
  }

  readonly #prepareMigration: BeforeMigration = async (stored) => {
    const { version } = storageFormat;
    this.#options.notify?.({ kind: 'migrating', path: this.path, format: version });
    if (this.#options.isTemporary !== true) await copyBeforeMigration(this.#directory, version, stored);
  };

  #checkRows(): void {
    const { notify, checkAfterMs = CHECK_AFTER_MS } = this.#options;
    if (notify === undefined) return;
    this.#rowCheck = new RowCheck(this.#directory, checkAfterMs, async (error) => {
      if (error.code === 'STORE_CORRUPT') await this.#noteDamage(error);
      else notify({ kind: 'unchecked', path: this.path, error });
    });
  }

  /** Marks the store as damaged and gives notice, once. If the mark cannot be written, the next damage tries again. */
  async #noteDamage(error: TallybookError): Promise<void> {
    this.#marking ??= leaveDamageMark(this.#directory, String(error.details['reason']));
    const isMarked = await this.#marking;
    if (!isMarked) this.#marking = undefined;
    if (this.#isDamageReported) return;
    this.#isDamageReported = true;
    this.#options.notify?.({ kind: 'damaged', path: this.path, error, isMarked });
  }

  #reopen(): Promise<void> {
    this.#reopening ??= this.#replace().finally(() => (this.#reopening = undefined));
    return this.#reopening;
  }

  async #replace(): Promise<void> {
    const distrusted = this.#level;
    const wasCopy = this.#copy !== undefined;
    await requireStore(this.#directory);
    if (distrusted !== undefined) {
      await requireSpace(this.#directory);
      this.#expected = distrusted.acknowledged;
      await this.#closeLevel();
    }
    try {
      this.#level = await reopenLevel(this.#directory, this.#expected, this.#prepareMigration);
    } catch (error) {
      await this.#openCopy(toOpenError(this.path, error));
      throw error;
    }
    this.#isDistrusted = false;
    this.revisions.renew();
    // Changes of an unacknowledged write may be there.
    this.appended.emit();
    if (wasCopy) this.#options.notify?.({ kind: 'writable', path: this.path });
  }

  /** Opens a copy of the store for reading, if `failure` is that of a full disk. Resolves with whether a copy is open. */
  async #openCopy(failure: TallybookError): Promise<boolean> {
    if (!isDiskFull(failure)) return false;
    try {
      const { level, folder } = await openReadingCopy(this.#directory);
      this.#level = level;
      this.#copy = folder;
    } catch {
      // No folder has room for a copy, or there is no store yet.
      return false;
    }
    this.#isDistrusted = true;
    this.#options.notify?.({ kind: 'unwritable', path: this.path, error: failure });
    return true;
  }

  async #closeLevel(): Promise<void> {
    const [level, copy] = [this.#level, this.#copy];
    this.#level = undefined;
    this.#copy = undefined;
    try {
      await level?.close();
    } finally {
      if (copy !== undefined) await removeReadingCopy(copy);
    }
  }
}
