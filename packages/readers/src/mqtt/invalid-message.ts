import { TallybookError } from '@tallybook/domain';

/**
 * The fault of a message that no reader can have sent. It does not show the message, which may hold the content of a
 * card.
 */
export function invalidMessage(problem: string, payload: string): TallybookError {
  return new TallybookError('FRAME_INVALID', `${problem}; got ${payload.length} other characters`, {
    details: { problem, length: payload.length },
  });
}
