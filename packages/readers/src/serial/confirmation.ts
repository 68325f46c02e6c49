import { checkRange, type Range } from '@tallybook/devices';
import type { Clock, TallyId } from '@tallybook/domain';
import { Silence } from '../silence.js';

/** Range of the number of equal frames. */
export const CONFIRM_RANGE: Range = { lowest: 1, highest: 5 };

/** An RDM6300 sends a resting tag about every 50 ms; slower modules send it every 130 ms or less often. */
const WITHIN_MS = 500;

/**
 * Makes one reading of several equal frames in a row.
 *
 * A right checksum is no proof of a tag. RDM6300 modules send phantom ids while no tag is near. Also, fewer than one
 * read in a thousand has an error that the XOR does not show. A phantom comes once; a tag is sent again and again while
 * it is there. Two tags that alternate confirm neither.
 *
 * @see The reports of such phantoms to the projects Tasmota and esp-rfid.
 */
export class Confirmation {
  readonly #frames: number;
  readonly #pause: Silence;
  #id: TallyId | undefined;
  #count = 0;

  /**
   * @param frames Number of equal frames that make a reading, 1..5. With 1, every frame is a reading.
   * @throws {TallybookError} `INVALID_OPTION` if it is out of range.
   */
  constructor(frames: number, clock: Clock) {
    this.#frames = checkRange('confirm', frames, CONFIRM_RANGE);
    this.#pause = new Silence(clock, () => {
      this.#count = 0;
    });
  }

  /**
   * Counts a frame. Returns `true` if it completes a reading; then the count starts again. Each counted frame equals
   * the frame before, and came within 500 ms after it.
   */
  accepts(id: TallyId): boolean {
    this.#count = id === this.#id ? this.#count + 1 : 1;
    this.#id = id;
    if (this.#count < this.#frames) {
      this.#pause.await(WITHIN_MS);
      return false;
    }
    this.stop();
    return true;
  }

  /** Forgets the counted frames. */
  stop(): void {
    this.#pause.stop();
    this.#count = 0;
  }
}
