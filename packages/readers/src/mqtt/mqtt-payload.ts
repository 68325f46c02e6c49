import type { TallybookError } from '@tallybook/domain';

/**
 * What a message holds of one tag: bytes (with `isUid` if they are a UID of ISO/IEC 14443 type A), text as it is
 * spelled (with `place`, if it says which of several devices has read it), or the fault of what is no tag.
 */
export type ReadTag =
  | { readonly bytes: Uint8Array; readonly isUid: boolean }
  | { readonly text: string; readonly place?: string }
  | { readonly fault: TallybookError };

/**
 * Finds the tags in the payload of a message, which is not empty and has no white space around it. None is no fault:
 * readers report on themselves at the same topics.
 */
export type PayloadReader = (payload: string) => readonly ReadTag[];
