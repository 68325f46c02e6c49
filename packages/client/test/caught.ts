import { expect } from 'chai';
import { TallybookClientError } from '../src/index.js';

/** What a call rejects with. */
export async function caught(call: Promise<unknown>): Promise<TallybookClientError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(TallybookClientError);
  return error as TallybookClientError;
}
