import type { LastSeen } from '@tallybook/client';
import type { Formats } from '../../state/formats.js';
import type { Messages } from '../../texts/messages.js';

/** When and where a tag was last seen. */
export function seenWords({ at, reader = '' }: LastSeen, texts: Messages, formats: Formats): string {
  return `${texts.enrol.seen}: ${formats.dateTime(at)} ${reader}`;
}
