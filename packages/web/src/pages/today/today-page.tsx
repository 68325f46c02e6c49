import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Loading } from '../../parts/placeholders/loading.js';
import { Empty } from '../../parts/placeholders/empty.js';
import { Icon } from '../../parts/icon.js';
import { paths } from '../../routing/paths.js';
import { GuestDialog } from '../muster/guest-dialog.js';
import { LastTap } from './last-tap.js';
import { PeopleTable } from './people-table.js';
import { UnnamedTags } from './unnamed-tags.js';

/** Who is here, live. */
export function TodayPage(): VNode {
  const { session, texts, formats } = usePage();
  const isAdding = useSignal(false);
  const people = session.today.people.value;
  const guests = session.guests.today.value;
  const isLoaded = session.today.isLoaded.value;
  const count = people.length + guests.length;
  const isMissing = session.readers.missing.value.length > 0;
  const named = people.filter(({ name }) => name !== null);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{texts.today.title}</h1>
          {session.clock.told.value === undefined ? undefined : (
            <p class="quiet">{formats.longDate(session.clock.now())}</p>
          )}
        </div>
        <div class="actions no-print">
          <button type="button" class="button" onClick={() => (isAdding.value = true)}>
            <Icon name="add" />
            {texts.guest.add}
          </button>
          <a href={paths.kiosk} class="button wide-only">
            <Icon name="kiosk" />
            {texts.kiosk.title}
          </a>
          <a href={paths.muster} class="button button-main">
            <Icon name="muster" />
            {texts.muster.title}
          </a>
        </div>
      </div>
      {!isLoaded ? (
        <Loading />
      ) : (
        <>
          <div class="summary">
            <p class="count">
              <strong>{formats.number(count)}</strong> {texts.today.here(count)}
              {guests.length > 0 && <span class="quiet"> · {texts.today.guests(guests.length)}</span>}
            </p>
            <LastTap />
          </div>
          <UnnamedTags people={people.filter(({ name }) => name === null)} />
          {count === 0 && <Empty title={texts.today.nobody} hint={isMissing ? '' : texts.today.nobodyHint} />}
          {named.length + guests.length > 0 && <PeopleTable people={named} guests={guests} />}
        </>
      )}
      {isAdding.value && <GuestDialog onClose={() => (isAdding.value = false)} />}
    </>
  );
}
