import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Answered, Loading, PageHead } from '../../parts/placeholders.js';
import { Card } from '../../parts/card.js';
import { useAnswer } from '../../parts/use-requests.js';
import { groupedId } from '../../parts/words.js';
import { personalTexts } from '../../texts/topics/personal.js';
import type { PathParams } from '../../routing.js';
import { KeptOfPerson } from './kept-of-person.js';

/** How long days are kept, and the data that would be removed today. */
function RetentionCard(): VNode {
  const { client, texts, formats, words } = usePage(personalTexts);
  const asked = useAnswer(() => client.get('/api/retention'), []);
  return (
    <Card title={words.retention}>
      <Answered asked={asked}>
        {({ keep, firstKept, days, backups, doubt }) => (
          <>
            <p>{keep === null ? words.keepsAll : words.keeps(words.units(keep))}</p>
            {keep !== null && (
              <p>
                {days.length === 0 ? words.nothingGoes : words.goes(days.length, sum(days))}{' '}
                {firstKept !== null && words.firstKept(formats.day(firstKept))}
              </p>
            )}
            {doubt !== null && <p class="notice">{words.doubt[doubt]}</p>}
            {days.length > 0 && (
              <details>
                <summary>{texts.days.title}</summary>
                <ul>
                  {days.map(({ day, entries }) => (
                    <li key={day}>
                      {formats.shortDay(day)} · {formats.number(entries)}
                    </li>
                  ))}
                </ul>
              </details>
            )}
            {backups.length > 0 && (
              <ul class="file-names">
                {backups.map((name) => (
                  <li key={name}>
                    <code>{name}</code>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Answered>
    </Card>
  );
}

function sum(days: readonly { readonly entries: number }[]): number {
  return days.reduce((all, { entries }) => all + entries, 0);
}

/** The erasures, which do not name the persons. */
function ErasuresCard(): VNode {
  const { client, formats, words } = usePage(personalTexts);
  const asked = useAnswer(() => client.get('/api/erasures'), []);
  return (
    <Card title={words.erasures}>
      <p class="quiet">{words.erasuresHint}</p>
      <Answered asked={asked}>
        {(all) =>
          all.length === 0 ? (
            <p>{words.noErasures}</p>
          ) : (
            <ul class="file-names">
              {all.map(({ digest, until, expiresAt }) => (
                <li key={digest}>
                  {words.when} {formats.dateTime(until)} · {words.until} {formats.dateTime(expiresAt)} ·{' '}
                  <code>{digest.slice(0, 8)}</code>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}

/** The data of one person or tag, if the address names one; otherwise erasures, and how long days are kept. */
export function PersonalPage({ id, tag }: PathParams): VNode {
  return id === undefined && tag === undefined ? <Everybody /> : <Somebody id={id} tag={tag} />;
}

function Everybody(): VNode {
  const { words } = usePage(personalTexts);
  return (
    <>
      <PageHead title={words.title} hint={words.hint} />
      <div class="cards-of-page">
        <RetentionCard />
        <ErasuresCard />
      </div>
    </>
  );
}

function Somebody({ id = '', tag }: PathParams): VNode {
  const { session, formats, words } = usePage(personalTexts);
  const { isLoaded, byId } = session.people;
  const name = byId.value.get(id)?.name;
  const title = name ? formats.name(name) : groupedId(tag ?? id);
  return (
    <>
      <div class="page-head">
        <div>
          <h1 data-title={words.title}>{words.titleOf(title)}</h1>
          <p class="quiet">{words.hint}</p>
        </div>
      </div>
      {/* The shown data of an erased person stays, although the person is gone. */}
      {isLoaded.value ? <KeptOfPerson key={tag ?? id} title={title} person={id} tag={tag} /> : <Loading />}
    </>
  );
}
