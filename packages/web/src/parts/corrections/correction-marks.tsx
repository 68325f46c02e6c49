import type { Correction } from '@tallybook/client';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { momentOf, type DayRange } from '../../state/days.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { useAnswer, type Asked } from '../use-requests.js';
import { actorOf } from '../words.js';

/** The corrections in a range of days, read again after each correction. */
export function useCorrections({ from, to }: DayRange): Asked<readonly Correction[]> {
  const { access, client, session, formats } = usePage();
  const isKept = access.isManaged();
  return useAnswer(
    () =>
      isKept
        ? client.get('/api/corrections', {
            query: {
              from: momentOf(from, formats.wallClock),
              to: momentOf(to, formats.wallClock),
            },
          })
        : Promise.resolve([]),
    [from, to, isKept, formats, session.changes.value],
  );
}

/**
 * The corrections of an entry: added times, or times struck through. The reason shows on hovering or focus, and always on paper.
 */
export function CorrectionMarks({ corrections }: { readonly corrections: readonly Correction[] }): VNode {
  return (
    <span class="marks">
      {corrections.map((each) => (
        <Mark key={each.number} correction={each} />
      ))}
    </span>
  );
}

function Mark({
  correction: { action, at, state, reason, author, madeAt },
}: {
  readonly correction: Correction;
}): VNode {
  const { texts, formats, words } = usePage(correctionTexts);
  const id = useId();
  const time = formats.time(at);
  const isPending = state === 'pending';
  return (
    <span class="mark-of">
      <button
        type="button"
        class="mark-corrected"
        data-action={action}
        data-state={state}
        aria-label={action === 'add' ? words.added(time) : words.voided(time)}
        aria-describedby={id}
      >
        {action === 'add' ? <ins>+{time}</ins> : <del>{time}</del>}
        {isPending && ' ?'}
      </button>
      <span role="tooltip" id={id} class="tip">
        {isPending && <strong>{words.pending}: </strong>}
        {reason} <span class="quiet">({words.by(actorOf(author, texts), formats.dateTime(madeAt))})</span>
      </span>
    </span>
  );
}
