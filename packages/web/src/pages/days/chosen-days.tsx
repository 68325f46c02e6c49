import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { Table } from '@tallybook/client';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Icon } from '../../parts/icon.js';
import { momentOf, type DayRange } from '../../state/days.js';
import { ConfirmDialog } from '../../parts/form/dialog.js';
import { Check } from '../../parts/form/field.js';
import type { Asked } from '../../parts/use-requests.js';
import { Answered, Empty } from '../../parts/placeholders.js';
import { CorrectionDialog } from '../../parts/corrections/correction-dialog.js';
import type { Chosen } from '../../parts/corrections/person-choice.js';
import { useGroup } from '../../parts/group-filter.js';
import { useCorrections } from '../../parts/corrections/correction-marks.js';
import { paths } from '../../routing.js';
import { presencesOf } from '../../state/days-table.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { EntriesTable, PeopleOfDays } from './tables-of-days.js';
import { Button } from '../../parts/button.js';

/** Shape of the table, as in files of the service: a row for each person, or a row for each person and day. */
type Shape = 'table' | 'entries';

/** Chooses the shape on the page, and in files. */
function ShapeChoice({
  shape,
  onChoose,
}: {
  readonly shape: Shape;
  readonly onChoose: (shape: Shape) => void;
}): VNode {
  const { texts } = usePage();
  const choices = [
    ['table', texts.days.byPerson],
    ['entries', texts.days.byDay],
  ] as const;
  return (
    <fieldset class="choice">
      <legend class="only-read">{texts.days.shape}</legend>
      {choices.map(([each, label]) => (
        <label key={each}>
          <input type="radio" name="shape" checked={each === shape} onChange={() => onChoose(each)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** Links to files: these days, in this shape, in the language of the page. */
function FileLinks({ range, shape }: { readonly range: DayRange; readonly shape: Shape }): VNode {
  const { client, texts, formats } = usePage();
  const group = useGroup();
  const moments = {
    from: momentOf(range.from, formats.wallClock),
    to: momentOf(range.to, formats.wallClock),
  };
  // If files do not have the language of the page, the service chooses one.
  const lang = LANGUAGES.find((each) => each === texts.language);
  const options = {
    shape,
    ...(lang !== undefined && { lang }),
    ...(group.id !== '' && { group: group.id }),
  };
  const links = [
    ['Excel', client.url('/api/xlsx', { query: { ...moments, ...options } })],
    ['CSV', client.url('/api/csv', { query: { ...moments, ...options } })],
  ] as const;
  return (
    <div class="actions" role="group" aria-label={texts.days.save}>
      {links.map(([label, href]) => (
        <a key={label} class="button" href={href} download="">
          <Icon name="download" />
          {label}
        </a>
      ))}
    </div>
  );
}

const LANGUAGES = ['en', 'de'] as const;

/** Removes the record of a day after a confirmation. */
function RemoveDay({
  day,
  people,
  onRemoved,
}: {
  readonly day: number;
  /** Number of people on the day, in words. */
  readonly people: string;
  readonly onRemoved: () => void;
}): VNode {
  const { client, texts, formats, toasts } = usePage();
  const isAsking = useSignal(false);
  const isMeant = useSignal(false);
  const name = formats.day(day);
  return (
    <>
      <Button class="button button-bad no-print" onClick={() => (isAsking.value = true)}>
        {texts.days.remove} …
      </Button>
      {isAsking.value && (
        <ConfirmDialog
          title={texts.days.removeTitle(name)}
          label={texts.days.remove}
          isReady={isMeant.value}
          run={async () => {
            await client.delete('/api/day', { query: { day } });
            toasts.done(texts.days.removed(name));
            onRemoved();
          }}
          onClose={() => (isAsking.value = isMeant.value = false)}
        >
          <p>{texts.days.removeHint(people)}</p>
          <Check value={isMeant}>{texts.days.removeConfirm(name)}</Check>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Shows who was there on a day or in a range, and saves it as a file. */
export function ChosenDays({
  range,
  asked,
  onRemoved,
}: {
  readonly range: DayRange;
  readonly asked: Asked<Table>;
  readonly onRemoved: () => void;
}): VNode {
  const { access, session, texts, formats, words } = usePage(correctionTexts);
  const { byId } = session.people;
  const correcting = useSignal<{ readonly person: Chosen | undefined; readonly day: number } | undefined>(
    undefined,
  );
  const { value: corrections = [], load: loadCorrections } = useCorrections(range);
  const mayCorrect = access.may('correct-record');
  const chosenShape = useSignal<Shape>('table');
  const { from, to } = range;
  const group = useGroup();
  const { value: table } = asked;
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
      <Answered asked={asked}>
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
                  onCorrect={
                    mayCorrect
                      ? (row, day) =>
                          (correcting.value = {
                            person: { ...row, person: byId.value.get(row.person ?? '') },
                            day,
                          })
                      : undefined
                  }
                />
              )}
              {/* It removes the day of everybody, not only of the group that is shown. */}
              {isOneDay && group.id === '' && access.may('remove-days') && (
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
            asked.load();
          }}
        />
      )}
    </section>
  );
}

function AddForgotten({ onAdd }: { readonly onAdd: () => void }): VNode {
  const { words } = usePage(correctionTexts);
  return (
    <p class="actions no-print">
      <Button icon="add" opensDialog onClick={onAdd}>
        {words.add}
      </Button>
    </p>
  );
}
