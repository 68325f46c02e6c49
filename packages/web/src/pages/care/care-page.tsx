import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { CannotRead, Loading } from '../../parts/placeholders.js';
import { Card } from '../../parts/card.js';
import { Icon } from '../../parts/icon.js';
import { Answer } from '../../state/requests.js';
import { AdministrationCard, HealthCard, RecordCard, ServiceCard } from './service-cards.js';
import { readCare, type CareState } from './care-state.js';
import { ClockCard } from './clock-card.js';
import { PublisherCard, ReaderCards } from './device-cards.js';
import { StationsCard, UpstreamCard } from './sync-cards.js';

/** How often the state is read, in milliseconds. */
const ASK_MS = 5_000;

/** Health of the service, for people who look after it. */
export function CarePage(): VNode {
  const { access, client, texts } = usePage();
  const [answer] = useState(() => new Answer<CareState>());
  const asks = (): Parameters<typeof readCare>[1] => {
    const isManaged = access.isManaged();
    return { health: isManaged, stations: isManaged && access.mayNow('see-stations') };
  };
  const load = (): void => void answer.ask((signal) => readCare(client, asks(), signal));
  useEffect(() => {
    load();
    const timer = setInterval(() => {
      if (!document.hidden) load();
    }, ASK_MS);
    return () => {
      clearInterval(timer);
      answer.giveUp();
    };
  }, []);
  const care = answer.value.value;
  const upstream = care?.status?.upstream ?? undefined;
  return (
    <>
      <div class="page-head">
        <h1>{texts.care.title}</h1>
      </div>
      {answer.isMissing.value && <CannotRead />}
      {care === undefined ? (
        <Loading />
      ) : (
        <div class="care">
          {care.health === undefined ? undefined : <HealthCard health={care.health} />}
          {care.readers === undefined ? undefined : <ReaderCards readers={care.readers} />}
          <ClockCard time={care.time} onSet={load} />
          {upstream !== undefined && <UpstreamCard upstream={upstream} />}
          <StationsCard stations={care.stations} now={care.time.time} onChange={load} />
          <RecordCard
            backlog={care.backlog}
            store={care.health?.parts.find(({ part }) => part === 'store')?.status}
            provisional={care.provisional}
          />
          {care.status === undefined ? undefined : (
            <>
              <ServiceCard status={care.status} />
              {care.status.publishers.map((each) => (
                <PublisherCard key={each.name} publisher={each} />
              ))}
            </>
          )}
          {access.may('back-up') && (
            <Card title={texts.care.backup}>
              <p>{texts.care.backupHint}</p>
              <p class="actions">
                <a class="button" href={client.exportAllUrl()} download="">
                  <Icon name="download" />
                  {texts.care.backupSave}
                </a>
              </p>
            </Card>
          )}
          <AdministrationCard />
        </div>
      )}
    </>
  );
}
