import { useSignal } from '@preact/signals';
import type { PersonDetail, TagHolding } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { groupedId } from '../../parts/words.js';
import { paths } from '../../routing.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { TagDialog, type Act } from './tag-dialog.js';

interface Opened {
  readonly tag: string;
  readonly act: Act;
  /** Whether the tag goes to somebody whom the user chooses. */
  readonly isToOther?: boolean;
  /** The second of the change to undo. */
  readonly since?: number;
}

/** Who held the tags of a person since when, and what can be done with each. */
export function PersonTags({
  detail,
  today,
  mayChange,
}: {
  readonly detail: PersonDetail;
  readonly today: number;
  readonly mayChange: boolean;
}): VNode {
  const { words } = usePage(peopleTexts);
  const opened = useSignal<Opened | undefined>(undefined);
  const { value: now } = opened;
  const isOwn = ({ person }: TagHolding): boolean =>
    person !== null && (person === detail.id || detail.aliases.includes(person));
  return (
    <div class="timelines">
      <Card title={words.timelines}>
        {detail.timelines.map(({ tag, holdings }) => {
          const present = holdings.at(-1);
          const open = (act: Act, more: Partial<Opened> = {}): void => {
            opened.value = { tag, act, ...more };
          };
          return (
            <section key={tag} class="timeline" aria-label={groupedId(tag)}>
              <h3>
                <code class="id">{groupedId(tag)}</code>
              </h3>
              <ol>
                {holdings.map((holding) => (
                  <li key={holding.since}>
                    <HoldingWords holding={holding} isOwn={isOwn(holding)} />
                    {mayChange && holding.since > 0 && (
                      <Button
                        class="button no-print"
                        opensDialog
                        onClick={() => open('undo', { since: holding.since })}
                      >
                        {words.acts.undo}
                      </Button>
                    )}
                  </li>
                ))}
              </ol>
              {holdings.some(({ isInDoubt }) => isInDoubt) && <p class="notice">{words.decide}</p>}
              {mayChange && present !== undefined && (
                <p class="actions no-print">
                  {isOwn(present) ? (
                    <>
                      <Button opensDialog onClick={() => open('lost')}>
                        {words.acts.lost}
                      </Button>
                      <Button opensDialog onClick={() => open('returned')}>
                        {words.acts.returned}
                      </Button>
                    </>
                  ) : present.why === 'lost' && isOwn(holdings.at(-2) ?? present) ? (
                    <Button opensDialog onClick={() => open('found')}>
                      {words.acts.found}
                    </Button>
                  ) : (
                    <Button opensDialog onClick={() => open('give')}>
                      {words.giveAgain}
                    </Button>
                  )}
                  <Button opensDialog onClick={() => open('give', { isToOther: true })}>
                    {words.handOn}
                  </Button>
                </p>
              )}
            </section>
          );
        })}
        {now !== undefined && (
          <TagDialog
            title={`${now.isToOther === true ? words.handOn : words.acts[now.act]}: ${groupedId(now.tag)}`}
            act={now.act}
            tag={now.tag}
            {...(now.act === 'give' && now.isToOther !== true && { person: detail })}
            {...(now.since !== undefined && { since: now.since })}
            today={today}
            onClose={() => (opened.value = undefined)}
          />
        )}
      </Card>
    </div>
  );
}

/** `Ada Lovelace, since 3 March 2026, 14:03`. */
function HoldingWords({
  holding: { person, name, why, since, isInDoubt },
  isOwn,
}: {
  readonly holding: TagHolding;
  readonly isOwn: boolean;
}): VNode {
  const { formats, words } = usePage(peopleTexts);
  const who = name === null ? (person ?? words.why[why]) : formats.name(name);
  return (
    <span>
      {person === null ? (
        who
      ) : isOwn ? (
        <strong>{who}</strong>
      ) : (
        <a href={paths.person(person)} class="person-link">
          {who}
        </a>
      )}{' '}
      <span class="quiet">{since === 0 ? words.always : words.since(formats.dateTime(since))}</span>
      {isInDoubt && <span class="mark-guest">{words.inDoubt}</span>}
    </span>
  );
}
