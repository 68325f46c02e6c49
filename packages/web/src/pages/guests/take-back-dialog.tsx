import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/form/dialog.js';
import { Failure } from '../../parts/placeholders.js';
import { useTaps } from '../../parts/use-tag.js';
import { groupedId, wordsOfFailure } from '../../parts/words.js';
import { guestTexts } from '../../texts/topics/guests.js';

const SECOND_MS = 1_000;

/** Takes badges back from guests: each one that is tapped while the dialog is open. */
export function TakeBackDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { session, client, texts, formats, words } = usePage(guestTexts);
  const { people } = session;
  const said = useSignal('');
  const failure = useSignal<string | undefined>(undefined);
  const lent = people.all.value.flatMap(({ guest, name, tags }) =>
    guest === null ? [] : tags.filter(({ isLost }) => !isLost).map(({ id }) => ({ id, name })),
  );
  const nameOf = (name: (typeof lent)[number]['name']): string =>
    name === null ? texts.guest.mark : formats.name(name);
  const taking = useRef(new Set<string>());
  /** @param since The second after the tap. Absent without a tap: now. */
  const take = async (id: string, since?: number): Promise<void> => {
    const badge = lent.find((each) => each.id === id);
    if (taking.current.has(id)) return;
    failure.value = undefined;
    said.value = badge === undefined ? words.notLent(groupedId(id)) : '';
    if (badge === undefined) return;
    taking.current.add(id);
    try {
      // Before that second, the badge would still be theirs in the people that are read next.
      if (since !== undefined) await new Promise((resolve) => setTimeout(resolve, SECOND_MS));
      await client.post('/api/tag', {
        body: { id, format: 'hex', act: 'returned', ...(since !== undefined && { since }) },
      });
      said.value = words.takenBack(groupedId(id), nameOf(badge.name));
      await session.people.load();
      session.load();
    } catch (error) {
      failure.value = wordsOfFailure(error, texts, { CLOCK_NOT_TRUSTED: words.clock });
    } finally {
      taking.current.delete(id);
    }
  };
  useTaps((tap) => {
    const at = 'at' in tap ? tap.at : null;
    if (tap.outcome !== 'failed') void take(tap.id, at === null ? undefined : at + 1);
  });
  return (
    <Dialog title={texts.guest.takeBack} onClose={onClose}>
      <div class="stack">
        <p>{words.takeBackHint}</p>
        <p role="status">
          <strong>{said.value}</strong>
        </p>
        <Failure text={failure.value} />
        {lent.length === 0 ? (
          <p class="quiet">{words.noneLent}</p>
        ) : (
          <ul class="offered" aria-label={words.lent}>
            {lent.map(({ id, name }) => (
              <li key={id}>
                <Button onClick={() => void take(id)}>
                  {words.take}: {nameOf(name)} <code class="id">{groupedId(id)}</code>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
