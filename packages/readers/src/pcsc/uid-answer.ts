import { counted, TallybookError } from '@tallybook/domain';

/** The answer of a card to {@link askForUid}. */
export type UidAnswer =
  | { readonly uid: Uint8Array }
  /** The card wants to be asked again, for this number of bytes. */
  | { readonly length: number }
  | { readonly fault: TallybookError };

/**
 * The command GET DATA for the UID. For a contactless card, the reader itself answers.
 *
 * @param length Number of expected bytes; 0 for all.
 * @see PC/SC 2.01, part 3, 3.2.2.1.3.
 */
export function askForUid(length = 0): Uint8Array {
  return Uint8Array.of(0xff, 0xca, 0x00, 0x00, length);
}

/** Reads an answer: the UID, and two bytes of status. */
export function parseUidAnswer(answer: Uint8Array): UidAnswer {
  const bytes = Buffer.from(answer);
  const uid = bytes.subarray(0, -2);
  const status = bytes.toString('hex', Math.max(bytes.length - 2, 0)).toUpperCase();
  if (status === '') return { fault: takenAway() };
  if (status.startsWith('6C')) return { length: bytes.at(-1) ?? 0 };
  // 6282: fewer bytes than asked for, and no more exist.
  if (status !== '9000' && !(status === '6282' && uid.length > 0)) {
    // An answer with an error has only the status. The bytes of any other answer may be a part of a UID, so only their
    // number is shown.
    const answered = uid.length === 0 ? `answer ${status}` : `an answer of ${counted(bytes.length, 'byte')}`;
    return { fault: unreadable(answered, 'cards with contacts and some kinds of tags have no UID') };
  }
  return { uid };
}

/** The fault of a card without a readable UID. */
export function unreadable(problem: string, advice: string, cause?: unknown): TallybookError {
  return new TallybookError('FRAME_INVALID', `the UID of a card could not be read (${problem}): ${advice}`, {
    cause,
    details: { problem },
  });
}

/** The fault of a card that was taken away too early. */
export function takenAway(cause?: unknown): TallybookError {
  return unreadable('taken away', 'it was taken away too early; tap again', cause);
}
