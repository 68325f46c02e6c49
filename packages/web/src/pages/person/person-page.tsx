import { useSignal } from '@preact/signals';
import type { PersonDetail, PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Answered, Empty, Loading, NotFound, WithToday } from '../../parts/placeholders.js';
import { Facts } from '../../parts/card.js';
import { CorrectionDialog } from '../../parts/corrections/correction-dialog.js';
import { useCorrections } from '../../parts/corrections/correction-marks.js';
import { groupedId } from '../../parts/words.js';
import { RangeFields } from '../../parts/form/range-fields.js';
import { useAnswer } from '../../parts/use-requests.js';
import { useTable } from '../../parts/use-table.js';
import { paths, type PathParams } from '../../routing.js';
import { parseRange, wholeYear, yearOf, type DayRange } from '../../state/days.js';
import { median, presencesOf } from '../../state/days-table.js';
import { tagsOf } from '../../state/people/people.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { guestTexts } from '../../texts/topics/guests.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { personalTexts } from '../../texts/topics/personal.js';
import { TagList } from '../../parts/tag-list.js';
import { PersonActs } from './person-acts.js';
import { PersonDays, PresencePicture } from './person-days.js';
import { PersonGroups } from './person-groups.js';
import { PersonTags } from './person-tags.js';
import { Button } from '../../parts/button.js';

/** A person, or a tag without a holder: what happened to tags, and the days as a picture and in words. */
export function PersonPage({ id = '', tag, from, to }: PathParams): VNode {
  const { session, words } = usePage(peopleTexts);
  const { isLoaded, byId, holders } = session.people;
  const person = tag === undefined ? byId.value.get(id) : holders.value.get(tag)?.person;
  return (
    <WithToday title={words.title}>
      {(today) => {
        const range = parseRange(from, to) ?? wholeYear(yearOf(today));
        if (person !== undefined) return <OverTime key={person.id} {...{ person, today, range }} />;
        if (tag !== undefined) return <OverTime key={tag} {...{ tag, today, range }} />;
        if (isLoaded.value) return <NotFound />;
        return (
          <>
            <h1>{words.title}</h1>
            <Loading />
          </>
        );
      }}
    </WithToday>
  );
}

/** The tags of a person over time; `undefined` until they are known, or if the service keeps no persons. */
function useDetail(person: PersonSummary | undefined): PersonDetail | undefined {
  const { session } = usePage();
  const { people, service } = session;
  const isAsked = person !== undefined && people.isOffered.value;
  return useAnswer(
    async () => (isAsked ? service.readPerson(person.id) : undefined),
    [people.all.value, isAsked],
    person?.id,
  ).value;
}

function OverTime({
  person,
  tag = '',
  today,
  range,
}: {
  readonly person?: PersonSummary;
  /** A tag without a holder. */
  readonly tag?: string;
  readonly today: number;
  readonly range: DayRange;
}): VNode {
  const { access, session, texts, formats, address, words } = usePage(peopleTexts);
  const { words: corrected } = usePage(correctionTexts);
  const { words: ofGuests } = usePage(guestTexts);
  const { words: personal } = usePage(personalTexts);
  const correcting = useSignal<number | undefined>(undefined);
  const { from, to } = range;
  const detail = useDetail(person);
  const asked = useTable(range);
  const { value: table } = asked;
  const name = person?.name ?? null;
  const ids = person === undefined ? [tag] : tagsOf(person);
  const { byId } = session.people;
  const row = table?.people.find(({ person: id, ids: [only] }) =>
    id === null
      ? person === undefined && only === tag
      : person !== undefined && byId.value.get(id) === person,
  );
  const [{ days } = { days: [] }] =
    row === undefined ? [] : presencesOf({ days: [], groups: [], people: [row] }, range);
  const { value: all = [], load: loadCorrections } = useCorrections(range);
  const corrections = useMemo(() => all.filter((each) => ids.includes(each.id)), [all, ids.join()]);
  const mayCorrect = access.may('correct-record') && ids.length > 0;
  const mayChange = access.may('change-names') && session.people.isOffered.value;
  const dayOf = (day: number | null): string | undefined =>
    day === null ? undefined : formats.shortDay(day);
  const middle = median(days.map(({ first }) => formats.wallClock(first) % 86_400));
  return (
    <>
      <div class="page-head">
        <div>
          <h1 data-title={words.title}>{name === null ? texts.tap.unknownTag : formats.name(name)}</h1>
          {person === undefined ? (
            <p class="quiet">
              <code class="id">{groupedId(tag)}</code>
            </p>
          ) : (
            <>
              <Facts
                facts={[
                  [words.number, person.number ?? undefined],
                  [words.from, dayOf(person.from)],
                  [words.until, dayOf(person.until)],
                  [ofGuests.since, dayOf(person.guest?.since ?? null)],
                  [ofGuests.visits, person.guest?.host ?? undefined],
                  [ofGuests.why, person.guest?.reason ?? undefined],
                ]}
              />
              <TagList tags={person.tags} />
            </>
          )}
        </div>
        <RangeFields
          range={range}
          today={today}
          onChoose={(next) =>
            address.replace(person === undefined ? paths.tag(tag, next) : paths.person(person.id, next))
          }
        />
      </div>
      {person !== undefined && mayChange && <PersonActs person={person} detail={detail} today={today} />}
      {detail !== undefined && detail.memberships.length > 0 && (
        <PersonGroups memberships={detail.memberships} />
      )}
      {detail !== undefined && detail.timelines.length > 0 && (
        <PersonTags detail={detail} today={today} mayChange={mayChange && !access.isBound()} />
      )}
      <h2>{from === to ? formats.day(from) : formats.dayRange(from, to)}</h2>
      <Answered asked={asked}>
        {() =>
          middle === undefined && corrections.length === 0 ? (
            <Empty title={words.never} hint={words.neverHint} />
          ) : (
            <>
              {middle === undefined ? undefined : (
                <>
                  <p class="quiet">
                    {words.summary(texts.days.days(days.length), formats.timeOfDay(Math.floor(middle / 60)))}
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
          {words.toDays}
        </a>
        {mayCorrect && (
          <Button icon="add" opensDialog onClick={() => (correcting.value = Math.min(today, to))}>
            {corrected.add}
          </Button>
        )}
        {person === undefined && access.may('change-names') && (
          <a href={paths.enrol(tag)} class="button">
            {texts.tap.giveName}
          </a>
        )}
        {access.may('manage-personal-data') && (
          <a
            href={person === undefined ? paths.personalOfTag(tag) : paths.personalOf(person.id)}
            class="button"
          >
            {personal.title} …
          </a>
        )}
      </p>
      {correcting.value !== undefined && (
        <CorrectionDialog
          person={{ name, ids, person }}
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
