import type { ConsumerPosition } from '@tallybook/domain';
import { encodeSequence } from '../rows/codec.js';
import { positionKey } from '../rows/keys.js';
import type { SavedRow } from '../rows/row-kinds.js';

/** The row that keeps a position. */
export const positionRow = ({ consumer, cursor }: ConsumerPosition): SavedRow => ({
  key: positionKey(consumer),
  value: encodeSequence(cursor),
});
