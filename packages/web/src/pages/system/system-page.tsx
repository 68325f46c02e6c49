import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Answered, lazy, PageHead } from '../../parts/placeholders.js';
import { Card } from '../../parts/card.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { useAnswer } from '../../parts/use-requests.js';
import { systemTexts } from '../../texts/topics/system.js';
import { AdministrationCard, HealthCard, RecordCard, ServiceCard } from './service-cards.js';
import { readSystem } from './system-state.js';
import { ClockCard } from './clock-card.js';
import { PublisherCard, ReaderCards } from './device-cards.js';
import { StationsCard, UpstreamCard } from './sync-cards.js';

const RestoreDialog = lazy(() => import('../settings-pages.js'), 'RestoreDialog');
const SettingsCard = lazy(() => import('../settings-pages.js'), 'SettingsCard');

/** How often the state is read, in milliseconds. */
const ASK_MS = 5_000;

/** Saves a backup, and restores one where the service can. */
function BackupCard(): VNode {
  const { access, client, words } = usePage(systemTexts);
  const isRestoring = useSignal(false);
  return (
    <Card title={words.parts.backup}>
      <p>{words.backupHint}</p>
      <p class="actions">
        <a class="button" href={client.url('/api/export')} download="">
          <Icon name="download" />
          {words.backupSave}
        </a>
        {access.isManaged() && (
          <Button opensDialog onClick={() => (isRestoring.value = true)}>
            {words.backupRestore} …
          </Button>
        )}
      </p>
      {isRestoring.value && <RestoreDialog onClose={() => (isRestoring.value = false)} />}
    </Card>
  );
}

/** State of the service, for people who look after it. */
export function SystemPage(): VNode {
  const { access, client, texts } = usePage(systemTexts);
  const asked = useAnswer((signal) => {
    const isManaged = access.isManaged();
    const asks = { health: isManaged, stations: isManaged && access.mayNow('see-stations') };
    return readSystem(client, asks, signal);
  }, []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) asked.load();
    }, ASK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <PageHead title={texts.system.title} />
      <Answered asked={asked}>
        {({ health, readers, time, status, stations, backlog, provisional }) => (
          <div class="cards-of-page">
            {health && <HealthCard health={health} />}
            {readers && <ReaderCards readers={readers} />}
            <ClockCard time={time} onSet={asked.load} />
            {status?.upstream && <UpstreamCard upstream={status.upstream} />}
            <StationsCard stations={stations} now={time.time} onChange={asked.load} />
            <RecordCard
              backlog={backlog}
              store={health?.parts.find(({ part }) => part === 'store')?.status}
              provisional={provisional}
            />
            {status && <ServiceCard status={status} />}
            {status?.publishers.map((each) => (
              <PublisherCard key={each.name} publisher={each} />
            ))}
            {access.may('back-up') && <BackupCard />}
            {access.may('manage-settings') && <SettingsCard />}
            <AdministrationCard />
          </div>
        )}
      </Answered>
    </>
  );
}
