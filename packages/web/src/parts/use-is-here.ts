import type { PersonSummary } from '@tallybook/client';
import { usePage } from '../page-context.js';
import { useTask, type Task } from './use-requests.js';
import { lastResortsOf } from '../state/people/people.js';
import { guestTexts } from '../texts/topics/guests.js';

const RECORDED: ReadonlySet<string> = new Set(['counted', 'already-counted', 'provisional', 'waiting']);

/** Records that somebody without a tag is here. */
interface IsHere {
  readonly task: Task;
  /** Whether it can be recorded of a person: the service needs a reader that gets taps over HTTP. */
  readonly isOffered: (person: PersonSummary) => boolean;
  /** Resolves with whether it was recorded. */
  readonly note: (person: PersonSummary) => Promise<boolean>;
}

export function useIsHere(): IsHere {
  const { access, session, client, texts, toasts, formats, words } = usePage(guestTexts);
  const task = useTask();
  const reader = session.readers.all.value?.find(({ kind }) => kind === 'http')?.name;
  const mayPush = access.may('push-readings');
  return {
    task,
    isOffered: (person) => mayPush && reader !== undefined && lastResortsOf(person).length > 0,
    note: async (person) => {
      const outcomes: string[] = [];
      const isSent = await task.run(async () => {
        const [{ id } = { id: '' }] = lastResortsOf(person);
        const { results } = await client.post('/api/readers/{name}/readings', {
          params: { name: reader ?? '' },
          body: { id },
        });
        outcomes.push(...results.map(({ outcome }) => outcome));
      });
      const isRecorded = outcomes.some((outcome) => RECORDED.has(outcome));
      if (isRecorded)
        toasts.done(words.noted(person.name === null ? texts.guest.mark : formats.name(person.name)));
      else if (isSent) task.fail(words.notNoted);
      return isRecorded;
    },
  };
}
