import { useSignal } from '@preact/signals';
import type { PersonDetail, PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { PersonChoice } from '../../parts/corrections/person-choice.js';
import { ConfirmDialog, Dialog } from '../../parts/form/dialog.js';
import { FailureNotice } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { paths } from '../../routing.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { PersonDialog } from '../../parts/person-dialog.js';
import { guestTexts } from '../../texts/topics/guests.js';
import { groupTexts } from '../../texts/topics/groups.js';
import { useIsHere } from '../../parts/use-is-here.js';
import { GroupsDialog } from './person-groups.js';
import { TagDialog } from './tag-dialog.js';

/** What can be done with a person: a row of buttons, with their dialogs. */
export function PersonActs({
  person,
  detail,
  today,
}: {
  readonly person: PersonSummary;
  readonly detail: PersonDetail | undefined;
  readonly today: number;
}): VNode {
  const { access, session, client, texts, toasts, formats, address, words } = usePage(peopleTexts);
  const { words: ofGuests } = usePage(guestTexts);
  const { words: ofGroups } = usePage(groupTexts);
  const open = useSignal<'give' | 'change' | 'groups' | 'left' | 'merge' | 'remove' | undefined>(undefined);
  const here = useIsHere();
  // Users who are bound to groups may change persons, but not whose tag is whose.
  const isFree = !access.isBound();
  const task = useTask();
  const { people } = session;
  const { id, aliases } = person;
  const name = person.name === null ? id : formats.name(person.name);
  const close = (): void => {
    open.value = undefined;
  };
  const finish = async (): Promise<void> => {
    await people.load();
    toasts.done(words.done);
    close();
  };
  const merge = (other: string): Promise<boolean> =>
    task.run(async () => {
      const { id: stays } = await client.post('/api/person/merge', { body: { ids: [id, other] } });
      await finish();
      address.replace(paths.person(stays));
    });
  const split = (alias: string): Promise<boolean> =>
    task.run(async () => {
      await client.post('/api/person/split', { body: { id: alias } });
      await finish();
    });
  const join = (): Promise<boolean> =>
    task.run(async () => {
      await client.post('/api/person', { body: { id, guest: null } });
      await finish();
    });
  return (
    <>
      {detail?.doubt && (
        <p class="notice" role="status">
          {words.doubt(formats.name(detail.doubt))}
        </p>
      )}
      <FailureNotice text={task.errorOf() ?? here.task.errorOf()} />
      <div class="actions no-print person-acts">
        {isFree && (
          <Button icon="tag" class="button button-main" opensDialog onClick={() => (open.value = 'give')}>
            {words.acts.give}
          </Button>
        )}
        {here.isOffered(person) && (
          <Button icon="done" onClick={() => void here.note(person)}>
            {ofGuests.isHereNow}
          </Button>
        )}
        <Button icon="edit" opensDialog onClick={() => (open.value = 'change')}>
          {words.change}
        </Button>
        <Button opensDialog isDisabled={detail === undefined} onClick={() => (open.value = 'groups')}>
          {ofGroups.change}
        </Button>
        {person.guest !== null && <Button onClick={() => void join()}>{ofGuests.makeMember}</Button>}
        {person.guest === null && person.until === null && (
          <Button opensDialog onClick={() => (open.value = 'left')}>
            {words.left}
          </Button>
        )}
        {isFree && (
          <>
            <Button opensDialog onClick={() => (open.value = 'merge')}>
              {words.merge}
            </Button>
            {aliases.map((alias) => (
              <Button key={alias} onClick={() => void split(alias)}>
                {words.split}
              </Button>
            ))}
            <Button class="button button-bad" opensDialog onClick={() => (open.value = 'remove')}>
              {texts.app.remove} …
            </Button>
          </>
        )}
      </div>
      {open.value === 'give' && (
        <TagDialog
          title={`${words.acts.give}: ${name}`}
          act="give"
          person={person}
          today={today}
          onClose={close}
        />
      )}
      {open.value === 'change' && <PersonDialog person={person} onClose={close} />}
      {open.value === 'groups' && (
        <GroupsDialog
          person={person}
          isFirst={detail?.memberships.length === 0}
          today={today}
          onClose={close}
        />
      )}
      {open.value === 'left' && <PersonDialog person={person} until={today} onClose={close} />}
      {open.value === 'merge' && (
        <Dialog title={`${name}: ${words.merge}`} onClose={close}>
          <p>{words.mergeHint}</p>
          <PersonChoice
            error={task.errorOf()}
            isPerson
            onChoose={({ person: other }) => void (other && merge(other.id))}
          />
        </Dialog>
      )}
      {open.value === 'remove' && (
        <ConfirmDialog
          title={`${texts.app.remove}: ${name}`}
          label={texts.app.remove}
          run={async () => {
            await client.delete('/api/person', { query: { id } });
            address.replace(paths.people);
            await finish();
          }}
          onClose={close}
        >
          <p>{words.removeHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
