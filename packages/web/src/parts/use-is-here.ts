import type { PersonSummary } from '@tallybook/client';
import { usePage } from '../page-context.js';
import { useTask, type Task } from './use-requests.js';
import { guestTexts } from '../texts/topics/guests.js';

/** Records that somebody without a tag is here. */
interface IsHere {
  readonly task: Task;
  /** Whether it can be recorded of a person. */
  readonly isOffered: (person: PersonSummary) => boolean;
  /** Resolves with whether it was recorded. */
  readonly note: (person: PersonSummary) => Promise<boolean>;
}

export function useIsHere(): IsHere {
  const { access, client, texts, toasts, formats, words } = usePage(guestTexts);
  const task = useTask();
  return {
    task,
    isOffered: ({ tags }) => access.may('add-guests') && tags.every(({ isLost }) => isLost),
    note: async ({ id, name }) => {
      const isRecorded = await task.run(() => client.post('/api/person/here', { body: { id } }));
      if (isRecorded) toasts.done(words.noted(name === null ? texts.guest.mark : formats.name(name)));
      return isRecorded;
    },
  };
}
