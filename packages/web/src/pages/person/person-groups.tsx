import { useSignal } from '@preact/signals';
import type { Membership, PersonDetail, PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { DateField, Field } from '../../parts/form/field.js';
import { GroupChoice } from '../../parts/form/group-choice.js';
import { GroupLink } from '../../parts/group-link.js';
import { useTask } from '../../parts/use-requests.js';
import { groupTexts } from '../../texts/topics/groups.js';

/** The groups that a person was ever in, and when. */
export function PersonGroups({ memberships }: Pick<PersonDetail, 'memberships'>): VNode {
  const { texts, formats, words } = usePage(groupTexts);
  const spanOf = ({ since, until }: Membership): string => {
    const start = since === 0 ? words.always : words.since(formats.shortDay(since));
    return until === null ? start : words.span(start, formats.shortDay(until));
  };
  return (
    <div class="timelines">
      <Card title={texts.groups.title}>
        <ul class="memberships">
          {memberships.map((membership) => (
            <li key={`${membership.group} ${membership.since}`}>
              <GroupLink id={membership.group} /> <span class="quiet">{spanOf(membership)}</span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

const NAME_MAX_LENGTH = 100;

/** Chooses the groups of a person from a day on. Earlier days stay as they are. */
export function GroupsDialog({
  person,
  isFirst,
  today,
  onClose,
}: {
  readonly person: PersonSummary;
  /** Whether they were in no group so far: then it is from the beginning. */
  readonly isFirst: boolean;
  readonly today: number;
  readonly onClose: () => void;
}): VNode {
  const { session, client, texts, toasts, formats, words } = usePage(groupTexts);
  const chosen = useSignal<readonly string[]>(person.groups);
  const others = useSignal('');
  const since = useSignal<number | null>(isFirst ? null : today);
  const task = useTask();
  const name = person.name === null ? person.id : formats.name(person.name);
  const save = (): Promise<boolean> =>
    task.run(async () => {
      const names = others.value.split(',').map((each) => each.trim());
      const groups = [...chosen.value, ...names.filter((each) => each !== '')];
      await client.post('/api/person', {
        body: { id: person.id, groups, ...(since.value !== null && { since: since.value }) },
      });
      await session.people.load();
      toasts.done(texts.app.saved(name));
      onClose();
    });
  return (
    <FormDialog
      title={words.changeOf(name)}
      task={task}
      label={texts.app.save}
      onSubmit={save}
      onClose={onClose}
    >
      {session.people.groups.value.length > 0 && (
        <GroupChoice label={texts.groups.title} hint="" chosen={chosen} />
      )}
      <Field
        label={words.another}
        hint={words.anotherHint}
        value={others}
        maxLength={NAME_MAX_LENGTH}
        autoFocus={session.people.groups.value.length === 0}
      />
      <DateField
        label={words.from}
        hint={isFirst ? words.firstHint : words.fromHint}
        day={since.value}
        onChoose={(day) => (since.value = day ?? (isFirst ? null : today))}
      />
    </FormDialog>
  );
}
