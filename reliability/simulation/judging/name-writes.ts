import type { Name, TallyId } from '@tallybook/domain';
import { compareStamps, type Stamp, type StampedName } from '@tallybook/domain';
import { STAMP_MAX_AHEAD_MS, type NameItem } from '@tallybook/domain/sync';
import { BEGIN_SECONDS } from '../virtual/virtual-clock.js';

/** A name that was given to a tag, or removed from it, at some place. */
export interface NameWrite {
  readonly place: string;
  readonly id: TallyId;
  readonly name: Name | undefined;
  readonly stamp: Stamp | undefined;
  readonly atMs: number;
  /** First and last arrival at the centre before the centre acknowledged the name, in milliseconds since 1970. */
  arrivals: { readonly first: number; readonly last: number } | undefined;
  /** Whether the centre has acknowledged the name. */
  isTaken: boolean;
  /** The next write of the same tag at the same place, if it was made before this one was sent. */
  supersededBy: NameWrite | undefined;
  /** Its place was restored from an older copy before the name was sent: the name is lost. */
  isGone: boolean;
  /** The centre was restored from an older copy after the name arrived: the name may be lost. */
  isUnsure: boolean;
  /** The centre knows neither the time of the name nor that it is new. */
  isDoubtful: boolean;
}

/** Rounding of a clock to whole seconds, in milliseconds. */
const SLACK_MS = 1_000;

/** All given names, and the rule about them: the later one counts, and a wrong clock has no advantage. */
export class NameWrites {
  readonly all: NameWrite[] = [];
  readonly #centre: string;

  constructor(centre: string) {
    this.#centre = centre;
  }

  add(place: string, { id, name, stamp }: StampedName, atMs: number): void {
    const write: NameWrite = {
      ...{ place, id, name, stamp, atMs },
      arrivals: undefined,
      isTaken: place === this.#centre,
      supersededBy: undefined,
      isGone: false,
      isUnsure: false,
      isDoubtful: false,
    };
    for (const other of this.all) {
      const isOfSame = other.place === place && other.id === id && !other.isTaken;
      // The write before this one may be lost by a restored older copy.
      const isLatest = other.supersededBy === undefined || other.supersededBy.isGone;
      if (isOfSame && isLatest && !other.isGone) other.supersededBy = write;
    }
    this.all.push(write);
  }

  /** A name arrived at the centre. If the centre has acknowledged it before, the arrival does not limit its time. */
  arrived(station: string, item: NameItem, atMs: number, isRepeat: boolean): void {
    const at = BEGIN_SECONDS * 1000 + atMs;
    for (const write of this.#find(station, item)) {
      if (isRepeat && write.arrivals !== undefined) continue;
      write.arrivals = { first: write.arrivals?.first ?? at, last: at };
      // Cursors of the journal are used again, so the name looks like an old one of unknown time.
      if (isRepeat && !this.#isExact(write)) write.isDoubtful = true;
    }
  }

  /** The centre has acknowledged a name. */
  taken(station: string, item: NameItem): void {
    for (const write of this.#find(station, item)) {
      write.isTaken = true;
      write.isGone = false;
    }
  }

  /** A place was restored from an older copy of its store. */
  restored(place: string, copiedAtMs: number): void {
    for (const write of this.all) {
      if (place === this.#centre) {
        const at = write.place === place ? write.atMs : (write.arrivals?.last ?? 0) - BEGIN_SECONDS * 1000;
        if (at >= copiedAtMs) write.isUnsure = true;
      } else if (write.place === place && write.atMs >= copiedAtMs && !write.isTaken) {
        write.isGone = true;
      }
    }
  }

  /** A place holds these names now, so they are not lost. */
  held(names: readonly StampedName[]): void {
    for (const { id, name, stamp } of names) {
      for (const write of this.all) {
        if (write.id === id && isSameName(write.name, name) && isSameStamp(write.stamp, stamp)) {
          write.isUnsure = false;
        }
      }
    }
  }

  /** Names that were not sent but should have been. */
  missing(isErased: (id: TallyId) => boolean): readonly NameWrite[] {
    return this.all.filter((write) => {
      if (write.place === this.#centre || write.isGone || isErased(write.id)) return false;
      const isSuperseded = write.supersededBy !== undefined && !write.supersededBy.isGone;
      return !write.isTaken && !isSuperseded;
    });
  }

  /** The problem of the name of a tag at the centre; `undefined` if there is none. */
  judge(id: TallyId, found: Name | undefined): string | undefined {
    const known = this.all.filter((write) => {
      return (
        write.id === id && !write.isGone && (write.place === this.#centre || write.arrivals !== undefined)
      );
    });
    const sure = known.filter((write) => write.isTaken && !write.isUnsure && !write.isDoubtful);
    const matching = known.filter(({ name }) => isSameName(name, found));
    if (matching.length === 0) {
      if (found === undefined && sure.length === 0) return undefined;
      return `nobody gave it, but ${known.map(({ name }) => describeName(name)).join(', ')}`;
    }
    const rivals = matching.map((write) => sure.find((other) => this.#isLater(other, write)));
    const [rival] = rivals;
    if (rivals.includes(undefined) || rival === undefined) return undefined;
    return `${describeName(rival.name)} of ${rival.place} at ${rival.atMs / 1000} s is later`;
  }

  /**
   * Whether a name was given before the first erasure of its tag, and not given again.
   *
   * @param until Names from before this second are erased. A name with a stamp that is ahead, within the allowed
   * limit, counts as later.
   */
  isOf(
    id: TallyId,
    found: Name,
    { beforeMs, until }: { readonly beforeMs: number; readonly until: number },
  ): boolean {
    const matching = this.all.filter((write) => write.id === id && isSameName(write.name, found));
    return matching.every((write) => {
      const isLater = this.#isExact(write) && (write.stamp?.ms ?? 0) >= (until + 1) * 1_000;
      return write.atMs < beforeMs && !isLater;
    });
  }

  /** The writes that may be the name that a station sends. */
  #find(station: string, { id, name, stamp }: NameItem): readonly NameWrite[] {
    return this.all.filter((write) => {
      if (write.id !== id || write.place === this.#centre) return false;
      // A name from another place has a stamp; a name without a stamp is of the sending place.
      if (stamp === null && write.place !== station) return false;
      return isSameName(write.name, name ?? undefined) && isSameStamp(write.stamp, stamp ?? undefined);
    });
  }

  /** Whether one write is certainly later than another. */
  #isLater(one: NameWrite, other: NameWrite): boolean {
    const [a, b] = [this.#boundsOf(one), this.#boundsOf(other)];
    if (a.exact !== undefined && b.exact !== undefined) return compareStamps(a.exact, b.exact) > 0;
    return a.earliest > b.latest;
  }

  #boundsOf(write: NameWrite): {
    readonly exact?: Stamp;
    readonly earliest: number;
    readonly latest: number;
  } {
    const { stamp, arrivals, atMs } = write;
    if (stamp !== undefined && this.#isExact(write)) {
      return { exact: stamp, earliest: stamp.ms, latest: stamp.ms };
    }
    const madeAt = BEGIN_SECONDS * 1000 + atMs;
    const { first, last } = arrivals ?? { first: madeAt, last: madeAt };
    // A change of unknown time becomes the latest one at the centre, so its stamp may be ahead of the clock of the
    // centre.
    const isTakenLater = stamp === undefined || stamp.ms <= last + STAMP_MAX_AHEAD_MS + SLACK_MS;
    const taken = stamp === undefined ? last + STAMP_MAX_AHEAD_MS : stamp.ms;
    return {
      earliest: first - SLACK_MS,
      latest: Math.max(last, isTakenLater ? taken : 0) + SLACK_MS,
    };
  }

  /** Whether the centre keeps its stamp unchanged. */
  #isExact({ place, stamp, arrivals, atMs }: NameWrite): boolean {
    if (stamp === undefined) return false;
    const first = arrivals?.first ?? BEGIN_SECONDS * 1000 + atMs;
    return place === this.#centre || stamp.ms <= first + STAMP_MAX_AHEAD_MS - SLACK_MS;
  }
}

export function describeName(name: Name | undefined): string {
  return name === undefined ? 'no name' : `"${name.first}"`;
}

export function isSameName(one: Name | undefined, other: Name | undefined): boolean {
  return one?.first === other?.first && one?.last === other?.last;
}

function isSameStamp(one: Stamp | undefined, other: Stamp | undefined): boolean {
  return (one === undefined) === (other === undefined) && compareStamps(one, other) === 0;
}
