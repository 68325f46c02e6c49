import type { TallybookError } from '@tallybook/domain';

/**
 * A tag of a message: bytes (with `isUid` if they are a UID of ISO/IEC 14443 type A), text (with `place` if the message
 * names the device that read the tag), or the fault of an invalid message.
 */
export type ReadTag =
  | { readonly bytes: Uint8Array; readonly isUid: boolean }
  | { readonly text: string; readonly place?: string }
  | { readonly fault: TallybookError };

/**
 * Finds the tags in the payload of a message. The payload is not empty and has no white space around it. A message
 * without a tag is not a fault: readers publish their own state at the same topics.
 */
export type PayloadReader = (payload: string) => readonly ReadTag[];
