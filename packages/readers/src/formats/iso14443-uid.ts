import { TallybookError, type TallyId } from '@tallybook/domain';

/** The cascade tag. A reader that delivers it has read only the first part of a UID: the manufacturer and two bytes. */
const CASCADE_TAG = '88';
/** First byte of a random UID of 4 bytes. A random UID changes with each tap, as with phones. */
const RANDOM_MARK = '08';
/** Hex digits of an id of ISO 15693 or FeliCa; no UID of ISO/IEC 14443 has this length. */
const OTHER_LENGTH = 2 * 8;

/**
 * Refuses the first part of a longer UID. Many tags share that part: tags of one maker differ only in the bytes after
 * it.
 *
 * @throws {TallybookError} `FRAME_INVALID` if the UID begins with 88, as no whole UID does.
 * @see ISO/IEC 14443-3, 6.5.4 (no UID begins with the cascade tag); NXP AN10927, section 2.
 */
export function refusePartOfUid(uid: TallyId): void {
  if (!uid.startsWith(CASCADE_TAG) || uid.length === OTHER_LENGTH) return;
  throw new TallybookError(
    'FRAME_INVALID',
    'a tag was refused: its id begins with 88, so it is only the first part of a longer UID, which other tags share; set the reader to whole UIDs, or use another reader',
    { details: { problem: 'a part of a UID', length: uid.length / 2 } },
  );
}

/**
 * Whether a UID is random. A random UID changes with each tap.
 *
 * @see ISO/IEC 14443-3, 6.5.4; NXP AN10927, section 2.
 */
export function isRandomUid(uid: TallyId): boolean {
  return uid.length === 8 && uid.startsWith(RANDOM_MARK);
}
