import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Answered, Empty, WithToday } from '../../parts/placeholders.js';
import { CorrectionDialog } from '../../parts/corrections/correction-dialog.js';
import { useCorrections } from '../../parts/corrections/correction-marks.js';
import { groupedId } from '../../parts/words.js';
import { RangeFields } from '../../parts/form/range-fields.js';
import { useTable } from '../../parts/use-table.js';
import { paths, type PathParams } from '../../routing.js';
import { parseRange, wholeYear, yearOf, type DayRange } from '../../state/days.js';
import { median, presencesOf } from '../../state/days-table.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { personalTexts } from '../../texts/topics/personal.js';
import { PersonDays, PresencePicture } from './person-days.js';
import { Button } from '../../parts/button.js';

/** A person over time: a picture, and the days in words. */
export function PersonPage({ id = '', from, to }: PathParams): VNode {
  const { texts } = usePage();
  return (
    <WithToday title={texts.person.title}>
      {(today) => (
        <PersonOverTime id={id} today={today} range={parseRange(from, to) ?? wholeYear(yearOf(today))} />
      )}
    </WithToday>
  );
}

function PersonOverTime({
  id,
  today,
  range,
}: {
  readonly id: string;
  readonly today: number;
  readonly range: DayRange;
}): VNode {
  const { access, session, texts, formats, address, words } = usePage(correctionTexts);
  const { words: personal } = usePage(personalTexts);
  const correcting = useSignal<number | undefined>(undefined);
  const { from, to } = range;
  const asked = useTable(range);
  const { value: table } = asked;
  const person = table?.people.find(({ ids }) => ids.includes(id));
  const name = person?.name ?? session.names.all.value.get(id) ?? null;
  const ids = person?.ids ?? [id];
  const [{ days } = { days: [] }] =
    person === undefined ? [] : presencesOf({ days: [], people: [person] }, range);
  const { value: all = [], load: loadCorrections } = useCorrections(range);
  const corrections = useMemo(() => all.filter((each) => ids.includes(each.id)), [all, ids.join()]);
  const mayCorrect = access.may('correct-record');
  const middle = median(days.map(({ first }) => formats.wallClock(first) % 86_400));
  return (
    <>
      <div class="page-head">
        <div>
          <h1 data-title={texts.person.title}>{name === null ? texts.tap.unknownTag : formats.name(name)}</h1>
          <p class="quiet">
            {texts.person.tags(ids.length)}{' '}
            {ids.map((each) => (
              <code class="id" key={each}>
                {groupedId(each)}{' '}
              </code>
            ))}
          </p>
        </div>
        <RangeFields
          range={range}
          today={today}
          onChoose={(next) => address.replace(paths.person(id, next))}
        />
      </div>
      <h2>{from === to ? formats.day(from) : formats.dayRange(from, to)}</h2>
      <Answered asked={asked}>
        {() =>
          middle === undefined && corrections.length === 0 ? (
            <Empty title={texts.person.never} hint={texts.person.neverHint} />
          ) : (
            <>
              {middle === undefined ? undefined : (
                <>
                  <p class="quiet">
                    {texts.person.summary(
                      texts.days.days(days.length),
                      formats.timeOfDay(Math.floor(middle / 60)),
                    )}
                  </p>
                  <PresencePicture days={days} range={range} />
                </>
              )}
              <PersonDays
                days={days}
                ids={ids}
                corrections={corrections}
                onCorrect={mayCorrect ? (day) => (correcting.value = day) : undefined}
              />
            </>
          )
        }
      </Answered>
      <p class="no-print person-more actions">
        <a href={paths.days(range)} class="button">
          {texts.person.toDays}
        </a>
        {mayCorrect && (
          <Button icon="add" opensDialog onClick={() => (correcting.value = Math.min(today, to))}>
            {words.add}
          </Button>
        )}
        {access.may('manage-personal-data') && (
          <a href={paths.personalOf(id)} class="button">
            {personal.title} …
          </a>
        )}
      </p>
      {correcting.value !== undefined && (
        <CorrectionDialog
          person={{ name, ids }}
          day={correcting.value}
          onClose={(isDone) => {
            correcting.value = undefined;
            if (!isDone) return;
            asked.load();
            loadCorrections();
          }}
        />
      )}
    </>
  );
}
