import { TallybookError, type TallyId } from '@tallybook/domain';

/** The cascade tag: a reader that shows it has stopped at the first part of a UID, the manufacturer and two bytes. */
const CASCADE_TAG = '88';
/** First byte of a random UID of 4 bytes, which changes with each tap, as with phones. */
const RANDOM_MARK = '08';
/** Hex digits of an id of ISO 15693 or FeliCa; no UID of ISO/IEC 14443 has this length. */
const OTHER_LENGTH = 2 * 8;

/**
 * Refuses the first part of a UID, which many tags share: tags of one maker differ in the bytes after it.
 *
 * @throws {TallybookError} `FRAME_INVALID` if it begins with 88, which no UID does.
 * @see ISO/IEC 14443-3, 6.5.4 (the cascade tag is no first byte of a UID); NXP AN10927, section 2.
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
 * Whether a UID is random, so that it changes with each tap.
 *
 * @see ISO/IEC 14443-3, 6.5.4; NXP AN10927, section 2.
 */
export function isRandomUid(uid: TallyId): boolean {
  return uid.length === 8 && uid.startsWith(RANDOM_MARK);
}
