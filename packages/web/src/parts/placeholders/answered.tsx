import type { VNode } from 'preact';
import { CannotRead } from './cannot-read.js';
import { Loading } from './loading.js';
import type { Asked } from '../use-answer.js';

/**
 * Shows an answer of the service. Before the first answer, it shows that the page is loading or that the service does not answer.
 * An earlier answer stays until the next one.
 */
export function Answered<T>({
  asked: { value, isMissing, load },
  children,
}: {
  readonly asked: Asked<T>;
  readonly children: (value: T) => VNode;
}): VNode {
  return (
    <>
      {isMissing && <CannotRead onTryAgain={load} />}
      {value !== undefined ? children(value) : isMissing ? undefined : <Loading />}
    </>
  );
}
