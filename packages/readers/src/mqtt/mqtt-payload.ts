import type { TallybookError } from '@tallybook/domain';

/**
 * A tag of a message: bytes (with `isUid` if they are a UID of ISO/IEC 14443 type A), text (with `place` if it names
 * the device that read it), or the fault of an invalid one.
 */
export type ReadTag =
  | { readonly bytes: Uint8Array; readonly isUid: boolean }
  | { readonly text: string; readonly place?: string }
  | { readonly fault: TallybookError };

/**
 * Finds the tags in the payload of a message. The payload is not empty and has no white space around it. A message
 * without a tag is no fault: readers publish their own state at the same topics.
 */
export type PayloadReader = (payload: string) => readonly ReadTag[];
