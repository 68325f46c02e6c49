import { passkeyTexts } from '../../texts/topics/passkeys.js';
import { useTask, type Task } from '../access/use-task.js';
import { useTopic } from '../words/use-topic.js';

/** A task in which the browser asks for a passkey, which people may cancel. */
export function usePasskeyTask(codes: Readonly<Partial<Record<string, string>>>): Task {
  const words = useTopic(passkeyTexts);
  const task = useTask({ ...codes, PASSKEYS_UNAVAILABLE: words.unavailable });
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    let stopped: string | undefined;
    const isDone = await task.run(async () => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        stopped = error.name === 'InvalidStateError' ? words.presentHere : words.stopped;
      }
    });
    if (stopped !== undefined) task.fail(stopped);
    return isDone && stopped === undefined;
  };
  return { ...task, run };
}
