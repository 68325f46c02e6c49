import { useSignal } from '@preact/signals';
import type { PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { Field } from '../../parts/form/field.js';
import { NameFields, TagField } from '../../parts/form/person-fields.js';
import { Failure } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { useTaps, useTypedTag } from '../../parts/use-tag.js';
import { groupedId } from '../../parts/words.js';
import { foldedOf, searchFor } from '../../state/people/people.js';
import { guestTexts } from '../../texts/topics/guests.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { useIsHere } from '../../parts/use-is-here.js';

const TEXT_MAX_LENGTH = 100;
/** Number of known persons that are offered. */
const OFFERED = 4;
/** Number of typed letters from which known persons are offered. */
const SEARCH_FROM = 2;

/**
 * Adds a guest, who is then here. A badge is lent by a tap while the dialog waits for it. Somebody who is known already is here by
 * one press.
 *
 * @param closesAfterMs Time without a key or a touch after which the dialog closes, so that nobody reads what another one typed.
 */
export function GuestDialog({
  closesAfterMs,
  onClose,
}: {
  readonly closesAfterMs?: number;
  readonly onClose: () => void;
}): VNode {
  const { session, client, toasts, formats, words } = usePage(guestTexts);
  const { words: ofPeople } = usePage(peopleTexts);
  const first = useSignal('');
  const last = useSignal('');
  const host = useSignal('');
  const reason = useSignal('');
  const badge = useSignal('');
  const isLending = useSignal(false);
  const tapped = useSignal<{ readonly id: string; readonly at: number } | undefined>(undefined);
  const held = useSignal<string | undefined>(undefined);
  const task = useTask({ PERSON_CONFLICT: words.badgeTaken, CLOCK_NOT_TRUSTED: words.clock });
  const { found, read } = useTypedTag(badge.value);
  const values = [first, last, host, reason, badge].map(({ value }) => value);
  useEffect(() => {
    if (closesAfterMs === undefined) return undefined;
    const timer = setTimeout(onClose, closesAfterMs);
    return () => clearTimeout(timer);
  }, [...values, isLending.value]);
  useTaps((tap) => {
    if (!isLending.peek() || badge.peek() !== '' || tap.outcome === 'failed') return;
    // People go on tapping: only a tag that nobody holds is the badge.
    held.value = tap.name === null ? undefined : words.held(groupedId(tap.id), formats.name(tap.name));
    if (held.peek() !== undefined) return;
    badge.value = groupedId(tap.id);
    if ('at' in tap && tap.at !== null) tapped.value = { id: tap.id, at: tap.at };
  });
  const save = async (): Promise<void> => {
    const name = { first: first.value.trim(), last: last.value.trim() };
    if (name.first === '' && name.last === '') {
      task.fail(ofPeople.nameMissing, 'name');
      return;
    }
    const text = badge.value.trim();
    const { readings, error } = isLending.value && text !== '' ? await read() : { readings: [] };
    const [only, another] = readings;
    if (another !== undefined || error !== undefined) {
      task.fail(error ?? ofPeople.tagWhich, 'badge');
      return;
    }
    await task.run(async () => {
      await client.post('/api/guest', {
        body: {
          name,
          ...(host.value.trim() !== '' && { host: host.value.trim() }),
          ...(reason.value.trim() !== '' && { reason: reason.value.trim() }),
          format: 'hex',
          ...(only !== undefined && { badge: only.id }),
          ...(only !== undefined && only.id === tapped.value?.id && { at: tapped.value.at }),
        },
      });
      toasts.done(words.added(formats.name(name)));
      session.load();
      onClose();
    });
  };
  const clear = (): void => task.fail(undefined);
  return (
    <FormDialog title={words.title} task={task} label={words.save} onSubmit={save} onClose={onClose}>
      <NameFields first={first} last={last} error={task.errorOf('name')} onInput={clear} autoFocus />
      <Known typed={`${first.value} ${last.value}`.trim()} onDone={onClose} />
      <div class="name-fields">
        <Field label={words.host} value={host} maxLength={TEXT_MAX_LENGTH} />
        <Field label={words.reason} value={reason} maxLength={TEXT_MAX_LENGTH} />
      </div>
      {isLending.value ? (
        <TagField
          tag={found}
          label={words.badge}
          value={badge}
          hint={words.badgeHint}
          error={task.errorOf('badge') ?? found?.error ?? held.value}
          onInput={clear}
          inputRef={focus}
        />
      ) : (
        <p class="actions">
          <Button icon="tag" onClick={() => (isLending.value = true)}>
            {words.lend}
          </Button>
        </p>
      )}
    </FormDialog>
  );
}

/** The button that opened the field is gone, and the focus with it. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** Known persons whose names fit what was typed, and who are not here yet. */
function Known({ typed, onDone }: { readonly typed: string; readonly onDone: () => void }): VNode {
  const { session, formats, words } = usePage(guestTexts);
  const { people, today } = session;
  const { isOffered, note, task } = useIsHere();
  const all = people.all.value;
  const here = today.people.value;
  const known = useMemo(() => {
    const present = new Set(here.map(({ key }) => key));
    return all
      .filter((person) => person.name !== null && !present.has(person.id))
      .map((person) => ({ person, folded: foldedOf({ name: person.name, ids: [] }) }));
  }, [all, here]);
  const isFound = searchFor(typed);
  const found = typed.length < SEARCH_FROM ? [] : known.filter(({ folded }) => isFound(folded));
  const offered = found.filter(({ person }) => isOffered(person)).slice(0, OFFERED);
  const say = async (person: PersonSummary): Promise<void> => {
    if (await note(person)) onDone();
  };
  return (
    <>
      {offered.length > 0 && (
        <ul class="offered" aria-label={words.known}>
          {offered.map(({ person }) => (
            <li key={person.id}>
              <Button icon="done" onClick={() => void say(person)}>
                {words.isHere(person.name === null ? '' : formats.name(person.name))} {people.markOf(person)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Failure text={task.errorOf()} />
    </>
  );
}
