import type {
  Backlog,
  HealthStatus,
  Provisional,
  Health as ServiceHealth,
  ServiceStatus,
} from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card, Facts, type Health } from '../../parts/card.js';
import { groupedId } from '../../parts/words.js';
import { systemTexts } from '../../texts/topics/system.js';
import { paths } from '../../routing.js';
import { accessTexts } from '../../texts/topics/access.js';
import { auditTexts } from '../../texts/topics/audit.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { personalTexts } from '../../texts/topics/personal.js';
import type { Words } from '../../texts/language.js';

const healthOf: Readonly<Record<HealthStatus, Health>> = { ok: 'good', warn: 'odd', fail: 'bad' };

/**
 * Health of the whole service, and the parts that need attention. Reasons are in the English words of the service: people with
 * another language open them if they want.
 */
export function HealthCard({ health: { status, parts } }: { readonly health: ServiceHealth }): VNode {
  const { texts, words } = usePage(systemTexts);
  return (
    <Card title={words.health} health={healthOf[status]} says={words.status[status]}>
      <ul class="health-parts">
        {parts.map(({ part, status: of, detail: reason, items = [] }) => {
          const title = (words.parts as Words)[part] ?? part;
          return (
            <li key={part}>
              <span class="health" data-health={healthOf[of]}>
                {title}: {words.partStatus[of]}
              </span>
              {[{ name: title, detail: reason }, ...items].map(
                ({ name, detail }) =>
                  detail !== undefined && (
                    <details key={name} open={texts.language === 'en'}>
                      <summary>
                        {name}: {words.said}
                      </summary>
                      <p class="quiet" lang="en">
                        {detail}
                      </p>
                    </details>
                  ),
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** With fewer free bytes than this, the card warns. */
const LITTLE_LEFT = 200_000_000;

/** Version and start of the program, and free space. */
export function ServiceCard({ status }: { readonly status: ServiceStatus }): VNode {
  const { formats, words } = usePage(systemTexts);
  const { version, startedAt, storage } = status;
  const bytes = (value: number | null): string => (value === null ? words.unknown : formats.bytes(value));
  const free = storage?.freeBytes ?? Infinity;
  return (
    <Card
      title={words.service}
      health={storage === null ? 'odd' : free < LITTLE_LEFT ? 'bad' : 'good'}
      says={storage === null ? words.inMemory : `${words.storageLeft}: ${bytes(storage.freeBytes)}`}
    >
      <Facts
        facts={[
          [words.storageUsed, storage === null ? undefined : bytes(storage.usedBytes)],
          [words.startedAt, formats.dateTime(startedAt)],
          [words.version, version],
          [
            words.forPrograms,
            <a key="api" href="./api/openapi.json">
              OpenAPI
            </a>,
          ],
        ]}
      />
    </Card>
  );
}

/** Whether every tap is recorded, with the right time. */
export function RecordCard({
  backlog: { waiting, limit, refused },
  store,
  provisional,
}: {
  readonly backlog: Backlog;
  /** Health of the store; `undefined` if it is not known. */
  readonly store: HealthStatus | undefined;
  readonly provisional: Provisional;
}): VNode {
  const { session, formats } = usePage();
  const nameOf = (id: string): string => {
    const name = session.people.nameOf(id);
    return name === undefined ? groupedId(id) : formats.name(name);
  };
  const { waiting: timeless, estimated } = provisional;
  const { words } = usePage(systemTexts);
  const isBroken = store === 'fail';
  return (
    <Card
      title={words.record}
      health={isBroken || waiting > 0 || refused > 0 ? 'bad' : timeless.length > 0 ? 'odd' : 'good'}
      says={
        waiting > 0
          ? words.backlog(waiting, formats.number(limit))
          : isBroken
            ? `${words.parts.store}: ${words.partStatus.fail}`
            : words.allWritten
      }
    >
      {refused > 0 && <p class="notice notice-bad">{words.refused(refused)}</p>}
      {timeless.length === 0 ? (
        <p>{words.noProvisional}.</p>
      ) : (
        <details open>
          <summary>{words.provisional(timeless.length)}</summary>
          <ol class="scans">
            {timeless.map(({ sequence, id, reader, notBefore }) => (
              <li key={sequence}>
                {nameOf(id)}{' '}
                <span class="quiet">
                  {words.notBefore(formats.dateTime(notBefore))} · {reader}
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
      {estimated.length > 0 && (
        <details>
          <summary>{words.estimated(estimated.length)}</summary>
          <ol class="scans">
            {estimated.map(({ sequence, id, reader, at, earliest, latest }) => (
              <li key={sequence}>
                {nameOf(id)} {formats.dateTime(at)}{' '}
                <span class="quiet">
                  {words.between(formats.dateTime(earliest), formats.dateTime(latest))} · {reader}
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </Card>
  );
}

/** Links to pages that need more rights. */
export function AdministrationCard(): VNode | null {
  const { access, words } = usePage(systemTexts);
  const { words: ofAccess } = usePage(accessTexts);
  const links = [
    ['manage-access', paths.users, ofAccess.users],
    ['manage-access', paths.tokens, ofAccess.tokens],
    ['correct-record', paths.corrections, usePage(correctionTexts).words.title],
    ['manage-personal-data', paths.personal, usePage(personalTexts).words.title],
    ['see-audit', paths.audit, usePage(auditTexts).words.title],
  ] as const;
  const allowed = links.filter(([action]) => access.may(action));
  if (allowed.length === 0) return null;
  return (
    <Card title={words.administration}>
      <ul class="links">
        {allowed.map(([, href, label]) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
