import type { Table } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Answered } from '../../parts/placeholders/answered.js';
import { CorrectionDialog } from '../../parts/corrections/correction-dialog.js';
import type { Chosen } from '../../parts/corrections/person-choice.js';
import { useCorrections } from '../../parts/corrections/use-corrections.js';
import { Empty } from '../../parts/placeholders/empty.js';
import { Icon } from '../../parts/icon.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { paths } from '../../routing/paths.js';
import type { DayRange } from '../../state/days/days.js';
import { presencesOf } from '../../state/days/table-of.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { EntriesTable } from './entries-table.js';
import { FileLinks } from './file-links.js';
import { PeopleOfDays } from './people-of-days.js';
import { RemoveDay } from './remove-day.js';
import { ShapeChoice, type Shape } from './shape-choice.js';

/** Shows who was there on a day or in a range, and saves it as a file. */
export function ChosenDays({
  range,
  table,
  isMissing,
  onTryAgain,
  onRemoved,
}: {
  readonly range: DayRange;
  /** `undefined` until it is read. */
  readonly table: Table | undefined;
  readonly isMissing: boolean;
  readonly onTryAgain: () => void;
  readonly onRemoved: () => void;
}): VNode {
  const { access, texts, formats } = usePage();
  const words = useTopic(correctionTexts);
  const correcting = useSignal<{ readonly person: Chosen | undefined; readonly day: number } | undefined>(
    undefined,
  );
  const { value: corrections = [], load: loadCorrections } = useCorrections(range);
  const mayCorrect = access.may('correct-record');
  const chosenShape = useSignal<Shape>('table');
  const { from, to } = range;
  const isOneDay = from === to;
  const present = useMemo(() => (table === undefined ? [] : presencesOf(table, range)), [table, from, to]);
  const days = table?.days.filter((day) => day >= from && day <= to) ?? [];
  // A single day always shows its times.
  const shape = isOneDay ? 'entries' : chosenShape.value;
  const title = isOneDay ? formats.day(from) : formats.dayRange(from, to);
  return (
    <section class="days-chosen" aria-labelledby="chosen-heading">
      <h2 id="chosen-heading" aria-live="polite">
        {title}
      </h2>
      <Answered asked={{ value: table, isMissing, load: onTryAgain }}>
        {() =>
          days.length === 0 && corrections.length === 0 ? (
            <>
              <Empty title={texts.days.nobody} hint={texts.days.nobodyHint} />
              {mayCorrect && (
                <AddForgotten onAdd={() => (correcting.value = { person: undefined, day: from })} />
              )}
            </>
          ) : (
            <>
              <p class="quiet">
                {texts.days.people(present.length)}
                {isOneDay ? '' : ` · ${texts.days.days(days.length)}`}
              </p>
              <div class="days-tools no-print">
                {!isOneDay && (
                  <ShapeChoice shape={chosenShape.value} onChoose={(each) => (chosenShape.value = each)} />
                )}
                {access.may('export-record') && <FileLinks range={range} shape={shape} />}
                {corrections.length > 0 && (
                  <a href={paths.corrections} class="button">
                    {words.title}
                  </a>
                )}
                {mayCorrect && isOneDay && (
                  <AddForgotten onAdd={() => (correcting.value = { person: undefined, day: from })} />
                )}
              </div>
              {shape === 'table' ? (
                <PeopleOfDays present={present} range={range} title={title} />
              ) : (
                <EntriesTable
                  present={present}
                  range={range}
                  title={title}
                  corrections={corrections}
                  onCorrect={mayCorrect ? (person, day) => (correcting.value = { person, day }) : undefined}
                />
              )}
              {isOneDay && access.may('remove-days') && (
                <RemoveDay day={from} people={texts.days.people(present.length)} onRemoved={onRemoved} />
              )}
            </>
          )
        }
      </Answered>
      {correcting.value !== undefined && (
        <CorrectionDialog
          {...correcting.value}
          onClose={(isDone) => {
            correcting.value = undefined;
            if (!isDone) return;
            loadCorrections();
            onTryAgain();
          }}
        />
      )}
    </section>
  );
}

function AddForgotten({ onAdd }: { readonly onAdd: () => void }): VNode {
  const words = useTopic(correctionTexts);
  return (
    <p class="actions no-print">
      <button type="button" class="button" aria-haspopup="dialog" onClick={onAdd}>
        <Icon name="add" />
        {words.add}
      </button>
    </p>
  );
}
