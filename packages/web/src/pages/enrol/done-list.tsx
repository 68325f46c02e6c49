import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { groupedId } from '../../parts/words/grouped-id.js';
import { Icon } from '../../parts/icon.js';
import { wordsOfFailure } from '../../parts/words/words-of-failure.js';
import type { Enrolment } from '../../state/names/enrolment.js';
import type { NameChange } from '../../state/names/names.js';

/** The names given on this page, the latest first. */
export function DoneList({ enrolment }: { readonly enrolment: Enrolment }): VNode {
  const { texts, toasts, formats } = usePage();
  const undo = (change: NameChange): void => {
    enrolment
      .undo(change)
      .catch((error: unknown) => toasts.show({ kind: 'failed', text: wordsOfFailure(error, texts) }));
  };
  const { value: done } = enrolment.done;
  return (
    <section class="enrol-done" aria-labelledby="enrol-done">
      <h2 id="enrol-done">{texts.enrol.done(done.length)}</h2>
      {done.length === 0 && <p class="quiet">{texts.enrol.doneHint}</p>}
      <ul aria-live="polite" aria-relevant="additions">
        {done.map((change) => (
          <li key={change.id}>
            <Icon name="done" />
            <span>
              {change.after === null ? '' : formats.listName(change.after)}
              <br />
              <code class="id quiet">{groupedId(change.id)}</code>
            </span>
            <button
              type="button"
              class="button"
              aria-label={`${texts.app.undo}: ${groupedId(change.id)}`}
              onClick={() => undo(change)}
            >
              {texts.app.undo}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
