import type { VNode } from 'preact';
import type { Station, UpstreamState } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import { usePage } from '../../page-context.js';
import { stationTexts } from '../../texts/topics/stations.js';
import { Card, Facts } from '../../parts/card.js';
import { ConfirmDialog } from '../../parts/form/dialog.js';
import { LastFault } from './device-cards.js';
import { Button } from '../../parts/button.js';

/** How many changes wait to be sent to a centre, and since when. */
function WaitingChanges({
  of: { waiting, oldestWaitingAt },
}: {
  readonly of: { readonly waiting: number; readonly oldestWaitingAt: number | null };
}): VNode {
  const { formats, words } = usePage(stationTexts);
  return (
    <p>
      {waiting === 0 ? words.nothingWaits : words.waiting(waiting)}
      {oldestWaitingAt !== null && ` ${words.since(formats.dateTime(oldestWaitingAt))}`}
    </p>
  );
}

/** Items that a centre refused, with its reasons in English. */
function RefusedList({
  refused,
  count = refused.length,
}: {
  readonly refused: readonly {
    readonly run?: string;
    readonly cursor: number;
    readonly at?: number;
    readonly code: string;
    readonly message: string;
  }[];
  /** Number of all refused items. `refused` has the latest ones. */
  readonly count?: number;
}): VNode | null {
  const { formats, words } = usePage(stationTexts);
  if (refused.length === 0) return null;
  return (
    <details>
      <summary>{words.refused(count)}</summary>
      <ol class="scans">
        {[...refused].reverse().map(({ run, cursor, at, code, message }) => (
          <li key={`${run ?? ''} ${cursor}`}>
            {at !== undefined && <time>{formats.dateTime(at)}: </time>}
            <span lang="en">{message}</span> <code>{code}</code>
          </li>
        ))}
      </ol>
    </details>
  );
}

/** State of sending to the centre. */
export function UpstreamCard({ upstream }: { readonly upstream: UpstreamState }): VNode {
  const { formats, words } = usePage(stationTexts);
  const { centre, connection, lastContactAt, refused, refusedCount, lastFault } = upstream;
  const isThere = connection === 'connected';
  return (
    <Card
      title={`${words.centre}: ${centre}`}
      health={!isThere ? 'bad' : refused.length > 0 ? 'odd' : 'good'}
      says={isThere ? words.reached : words.notReached}
    >
      <WaitingChanges of={upstream} />
      <Facts
        facts={[[words.lastContact, lastContactAt === null ? words.notYet : formats.dateTime(lastContactAt)]]}
      />
      <RefusedList refused={refused} count={refusedCount} />
      <LastFault fault={lastFault} />
    </Card>
  );
}

/**
 * Silence of a station for longer than this is shown: it reports every few minutes, but may be switched off at night.
 * Refused items are shown for the same time.
 */
const DAY_S = 86_400;

/** The stations of this centre, first those that need attention. */
export function StationsCard({
  stations,
  now,
  onChange,
}: {
  readonly stations: readonly Station[];
  /** The time of the service, in seconds since 1970. */
  readonly now: number;
  readonly onChange: () => void;
}): VNode | null {
  const { words } = usePage(stationTexts);
  const needsLook = (station: Station): boolean =>
    isSilent(station, now) || !station.isClockTrusted || station.refused.some(({ at }) => now - at <= DAY_S);
  const odd = stations.filter(needsLook);
  const well = stations.filter((station) => !needsLook(station));
  if (stations.length === 0) return null;
  return (
    <Card
      title={words.title}
      health={odd.length === 0 ? 'good' : 'odd'}
      says={odd.length === 0 ? words.allWell : words.lookAt(odd.length)}
    >
      <ul class="stations">
        {[...odd, ...well].map((station) => (
          <StationItem key={station.name} station={station} now={now} onChange={onChange} />
        ))}
      </ul>
    </Card>
  );
}

function StationItem({
  station,
  now,
  onChange,
}: {
  readonly station: Station;
  readonly now: number;
  readonly onChange: () => void;
}): VNode {
  const { access, client, formats, toasts, words } = usePage(stationTexts);
  const isForgetting = useSignal(false);
  const { name, heardAt, provisional, isClockTrusted, version, refused } = station;
  const heard = formats.dateTime(heardAt);
  return (
    <li>
      <strong>{name}</strong>
      <p class="quiet">
        {isSilent(station, now) ? words.silent(heard) : words.heard(heard)} · {words.version} {version}
      </p>
      <WaitingChanges of={station} />
      {provisional > 0 && <p>{words.provisional(provisional)}</p>}
      {!isClockTrusted && <p class="notice">{words.clockWrong}</p>}
      <RefusedList refused={refused} />
      {access.may('manage-access') && (
        <p>
          <Button label={words.forgetOf(name)} onClick={() => (isForgetting.value = true)}>
            {words.forget} …
          </Button>
        </p>
      )}
      {isForgetting.value && (
        <ConfirmDialog
          title={words.forgetTitle(name)}
          label={words.forget}
          run={async () => {
            await client.delete('/api/stations', { query: { name: name } });
            toasts.done(words.forgotten(name));
            onChange();
          }}
          onClose={() => (isForgetting.value = false)}
        >
          <p>{words.forgetHint}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function isSilent({ heardAt }: Station, now: number): boolean {
  return now - heardAt > DAY_S;
}
