import { TallybookError } from '@tallybook/domain';

/**
 * What devices publish about themselves, or when a tag is taken away, at the topic of their tags: `online` and
 * `offline`, `0`, the `(null)` of Homie, the `unknown` and `unavailable` of Home Assistant.
 */
const NO_TAG = /^(?:0{1,5}|online|offline|null|\(null\)|none|unknown|unavailable)$/i;
const controls = (): RegExp => /\p{Cc}+/u;

/** Whether a device publishes this text when there is no tag. It is then neither a tap nor a fault. */
export function saysNoTag(text: string): boolean {
  return NO_TAG.test(text);
}

/** The texts between line ends and other control characters, without those that say "no tag". */
export function splitTexts(text: string): readonly string[] {
  const pieces = text.split(controls()).map((piece) => piece.trim());
  return pieces.filter((piece) => piece !== '' && !saysNoTag(piece));
}

/** The texts of a message that is nothing but ids: one a line, or a text or a list of texts in JSON. */
export function textsOf(message: string): readonly string[] {
  return (readJsonTexts(message) ?? [message]).flatMap(splitTexts);
}

function readJsonTexts(message: string): readonly string[] | undefined {
  try {
    const texts = [JSON.parse(message) as unknown].flat();
    return texts.every((text) => typeof text === 'string') ? texts : undefined;
  } catch {
    return undefined;
  }
}

/** The object or list of a message in JSON, as the only element, or why it cannot be read. */
export function parseMessage(text: string): readonly [object] | string {
  try {
    const message: unknown = JSON.parse(text);
    if (typeof message === 'object' && message !== null) return [message];
    return 'the message is JSON, but neither an object nor a list';
  } catch {
    return 'the message is not JSON';
  }
}

/**
 * The fault of a message that no reader can have sent. It does not show the message, which may hold the content of a
 * card.
 */
export function invalidMessage(problem: string, payload: string): TallybookError {
  return new TallybookError('FRAME_INVALID', `${problem}; got ${payload.length} other characters`, {
    details: { problem, length: payload.length },
  });
}

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
