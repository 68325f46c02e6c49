import { TallybookError } from '@tallybook/domain';

/** How many bytes of a frame that is none are shown. */
const SHOWN = 16;

/**
 * The fault of bytes that are no frame.
 *
 * @param problem What they are instead.
 * @param head Their beginning, of which 16 bytes are shown.
 * @param length How many they are.
 */
export function invalidFrame(
  problem: string,
  head: Uint8Array,
  length: number = head.length,
): TallybookError {
  const shown = Buffer.from(head).subarray(0, SHOWN);
  const bytes = shown.toString('hex').toUpperCase();
  const more = length > shown.length ? '…' : '';
  return new TallybookError(
    'FRAME_INVALID',
    `received ${problem} (${length} bytes: ${bytes}${more}); if this goes on, check the wiring and the baud rate`,
    { details: { bytes, length, problem } },
  );
}
