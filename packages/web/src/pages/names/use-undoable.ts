import { usePage } from '../../page-context.js';
import { wordsOfFailure } from '../../parts/words/words-of-failure.js';

/** Makes a change. @returns A function that undoes it. */
type Undoable = () => Promise<() => Promise<unknown>>;

/**
 * Makes a change, and shows a message with a button to undo it.
 *
 * @returns The reason for a failure, in words; `undefined` after success.
 */
export function useUndoable(): (run: Undoable, done: string) => Promise<string | undefined> {
  const { texts, toasts } = usePage();
  const succeed = (): void => toasts.show({ kind: 'done', text: texts.app.undone });
  const fail = (error: unknown): void => toasts.show({ kind: 'failed', text: wordsOfFailure(error, texts) });
  return async (run, done) => {
    try {
      const undo = await run();
      const action = { label: texts.app.undo, run: () => void undo().then(succeed, fail) };
      toasts.show({ kind: 'done', text: done, action });
      return undefined;
    } catch (error) {
      return wordsOfFailure(error, texts);
    }
  };
}
