import { useSignal } from '@preact/signals';
import type { Station } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { stationTexts } from '../../texts/topics/stations.js';
import { RefusedList } from './refused-list.js';
import { WaitingChanges } from './waiting-changes.js';

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
  const words = useTopic(stationTexts);
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
  const { access, client, formats, toasts } = usePage();
  const words = useTopic(stationTexts);
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
          <button
            type="button"
            class="button"
            aria-label={words.forgetOf(name)}
            onClick={() => (isForgetting.value = true)}
          >
            {words.forget} …
          </button>
        </p>
      )}
      {isForgetting.value && (
        <ConfirmDialog
          title={words.forgetTitle(name)}
          confirm={words.forget}
          run={async () => {
            await client.removeStation(name);
            toasts.show({ kind: 'done', text: words.forgotten(name) });
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
