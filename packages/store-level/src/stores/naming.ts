import { isReservedTallyId, TallybookError, type StampedName, type TallyId } from '@tallybook/domain';
import type { StampSource } from '@tallybook/domain/sync';
import type { Write } from '../database/group-commit.js';
import type { LevelDatabase } from '../database/level-database.js';
import { subjects } from '../database/revisions.js';
import { findName, keysOfNames, setStampedName } from '../rows/name-rows.js';
import { timelineRows } from '../rows/people-rows.js';
import type { TimelineTags } from './timeline-tags.js';

/** Time and place of changes, for their stamps. */
export class Stamping {
  readonly stamps: StampSource;
  #node = '';

  constructor(database: LevelDatabase, stamps: StampSource) {
    this.stamps = stamps;
    database.onOpening(async () => {
      this.#node = await database.read((_, { origin }) => Promise.resolve(origin));
    });
  }

  /** The origin of the journal. */
  get node(): string {
    return this.#node;
  }
}

/** The names that a write sees and changes: those of all tags that it has announced. */
export interface WrittenNames {
  readonly find: (id: TallyId) => ReturnType<typeof findName>;
  /** @throws {TallybookError} `TAG_HAS_TIMELINE` */
  readonly put: (name: StampedName) => void;
}

/** A write of names that persons do not decide: it rejects with `TAG_HAS_TIMELINE` if they do. Submit it in the same turn. */
export function namingOf<T>(
  ids: readonly TallyId[],
  timelines: TimelineTags,
  decide: (names: WrittenNames) => T,
): Write<T> {
  // As of now: writes of timelines that are called later come later.
  const held = new Set(ids.filter((id) => timelines.mayHave(id)));
  return {
    keys: [...keysOfNames(ids), ...[...held].map(timelineRows.keyOf)],
    decide: (rows) => {
      rows.touch(subjects.mapping);
      const isHeld = (id: TallyId): boolean => held.has(id) && rows.has(timelineRows.keyOf(id));
      return decide({
        find: (id) => findName(rows, id),
        put: (name) => {
          if (isReservedTallyId(name.id) || isHeld(name.id)) throw hasTimeline(name.id);
          setStampedName(rows, name);
        },
      });
    },
  };
}

function hasTimeline(id: TallyId): TallybookError {
  return new TallybookError('TAG_HAS_TIMELINE', `the name of the tag ${id} is that of its holder`);
}
