import type { VNode } from 'preact';
import { CannotRead } from './cannot-read.js';
import { Loading } from './loading.js';
import type { Asked } from '../use-answer.js';

/** Shows an answer of the service; before the first one, that it is asked or does not answer. An earlier answer stays meanwhile. */
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
