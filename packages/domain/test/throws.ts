import { TallybookError, type ErrorCode } from '@tallybook/domain';
import { expect } from 'chai';

/** Calls what must throw a {@link TallybookError} with a code, and returns the error. */
export function thrownBy(code: ErrorCode, call: () => unknown): TallybookError {
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  return expectCode(code, thrown);
}

/** Awaits what must reject with a {@link TallybookError} with a code, and returns the error. */
export async function rejectionOf(code: ErrorCode, running: Promise<unknown>): Promise<TallybookError> {
  return expectCode(
    code,
    await running.then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
}

function expectCode(code: ErrorCode, error: unknown): TallybookError {
  expect(error).to.be.instanceOf(TallybookError);
  expect((error as TallybookError).code).to.equal(code);
  return error as TallybookError;
}
