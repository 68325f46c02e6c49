import { TallybookError } from '@tallybook/domain';

/** The fault of a message that cannot be what a reader sent. It may hold what is written on a card, so it is not shown. */
export function invalidMessage(problem: string, payload: string): TallybookError {
  return new TallybookError('FRAME_INVALID', `${problem}; got ${payload.length} other characters`, {
    details: { problem, length: payload.length },
  });
}
