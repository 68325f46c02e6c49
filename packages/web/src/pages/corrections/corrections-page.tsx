import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Answered } from '../../parts/placeholders/answered.js';
import { CorrectionDialog } from '../../parts/corrections/correction-dialog.js';
import { useCorrections } from '../../parts/corrections/use-corrections.js';
import { Empty } from '../../parts/placeholders/empty.js';
import { RangeFields } from '../../parts/form/range-fields.js';
import { Icon } from '../../parts/icon.js';
import { Loading } from '../../parts/placeholders/loading.js';
import { useTopic } from '../../parts/words/use-topic.js';
import type { DayRange } from '../../state/days/days.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { CorrectionsTable } from './corrections-table.js';

/** Number of days shown at first. */
const DAYS = 90;

/** The corrections; those that wait for approval are marked. */
export function CorrectionsPage(): VNode {
  const { session } = usePage();
  const words = useTopic(correctionTexts);
  const today = session.clock.told.value?.day;
  return today === undefined ? (
    <>
      <h1>{words.title}</h1>
      <Loading />
    </>
  ) : (
    <Corrections today={today} />
  );
}

function Corrections({ today }: { readonly today: number }): VNode {
  const { access } = usePage();
  const words = useTopic(correctionTexts);
  const range = useSignal<DayRange>({ from: today - DAYS + 1, to: today });
  const isPendingOnly = useSignal(false);
  const isAdding = useSignal(false);
  const { value: all, isMissing, load } = useCorrections(range.value);
  const rows = all?.filter(({ state }) => !isPendingOnly.value || state === 'pending');
  const hasPending = all?.some(({ state }) => state === 'pending') === true;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          <p class="quiet">{words.hint}</p>
        </div>
        {access.may('correct-record') && (
          <div class="actions no-print">
            <button type="button" class="button button-main" onClick={() => (isAdding.value = true)}>
              <Icon name="add" />
              {words.add}
            </button>
          </div>
        )}
      </div>
      <div class="stack">
        <RangeFields range={range.value} today={today} onChoose={(next) => (range.value = next)} />
        {(hasPending || isPendingOnly.value) && (
          <label class="check no-print">
            <input
              type="checkbox"
              checked={isPendingOnly.value}
              onChange={(event) => (isPendingOnly.value = event.currentTarget.checked)}
            />
            {words.onlyPending}
          </label>
        )}
        <Answered asked={{ value: rows, isMissing, load }}>
          {(some) =>
            some.length === 0 ? (
              <Empty title={words.none} hint={words.noneHint} />
            ) : (
              <CorrectionsTable rows={some} onDecided={load} />
            )
          }
        </Answered>
      </div>
      {isAdding.value && (
        <CorrectionDialog
          person={undefined}
          day={today}
          onClose={(isDone) => {
            isAdding.value = false;
            if (isDone) load();
          }}
        />
      )}
    </>
  );
}
