import { invalidOption } from '@tallybook/devices';
import { type Holding, type Name, type PersonId, type TallyId, type Timestamp } from '@tallybook/domain';
import { ifCode, type FoundTag } from '@tallybook/domain/record';
import { formatKeep, type ErasureReport, type ExpiredDay, type Keep } from '@tallybook/domain/personal';
import type { BackupFolder } from '../../backup/backup-folder.js';
import type { OwnerClient } from '../../control/owner-client.js';
import type { PersonalData, ShownPerson, ToldRetention, Wanted } from './personal-data.js';

/** The answer of `/api/retention`. */
interface ServedRetention {
  readonly isDryRun: boolean;
  readonly keep: string | null;
  readonly firstKept: ToldRetention['firstKept'] | null;
  readonly days: readonly ExpiredDay[];
  readonly backups: readonly string[];
  readonly keepGuests: string | null;
  readonly guests: ToldRetention['guests'];
  readonly doubt: ToldRetention['doubt'] | null;
}

/** The answer of `GET /api/id`. */
interface ServedReadings {
  readonly readings: readonly (Pick<FoundTag, 'id' | 'format'> & {
    readonly name: Name | null;
    readonly lastSeen: NonNullable<FoundTag['lastSeen']> | null;
  })[];
}

/** The answer of `GET /api/person`. */
interface ServedPerson {
  readonly id: PersonId;
  readonly name: Name | null;
  readonly number: string | null;
  readonly aliases: readonly PersonId[];
  readonly timelines: readonly {
    readonly tag: TallyId;
    readonly holdings: readonly (Pick<Holding, 'why' | 'since' | 'isInDoubt'> & {
      readonly person: PersonId | null;
      readonly until: Timestamp | null;
    })[];
  }[];
}

/** Settings of the command that may differ from those of the service. */
interface Told {
  readonly keep: Keep | undefined;
  /** A folder that is searched too: the service may have no folder for backups. */
  readonly backups: BackupFolder | undefined;
}

/** The data of persons in a running service. The settings of the service are used. */
export class ServedPersonalData implements PersonalData {
  readonly searched: string;
  // Commands reach only services on a disk: a service on a database has no control socket.
  readonly isInDatabase = false;
  readonly #client: OwnerClient;
  readonly #told: Told;

  constructor(client: OwnerClient, told: Told) {
    this.#client = client;
    this.#told = told;
    const ofService = 'that the service makes';
    this.searched = told.backups === undefined ? ofService : `in ${told.backups.path}, or ${ofService},`;
  }

  async look(text: string, format: string | undefined): Promise<readonly FoundTag[]> {
    const query = new URLSearchParams({ text, ...(format !== undefined && { format }) });
    const { readings } = await this.#client.get<ServedReadings>(`/api/id?${query.toString()}`);
    return readings.map(({ id, format: read, name, lastSeen }) => ({
      ...{ id, format: read },
      ...(name !== null && { name }),
      ...(lastSeen !== null && { lastSeen }),
    }));
  }

  async erase(
    { ids, persons }: Wanted,
    { isDryRun }: { readonly isDryRun: boolean },
  ): Promise<ErasureReport> {
    const { backups } = this.#told;
    const shown = backups === undefined ? [] : await Promise.all(persons.map((person) => this.show(person)));
    const report = await this.#client.post<ErasureReport>('/api/erasures', {
      ...(ids.length > 0 && { ids, format: 'hex' }),
      ...(persons.length > 0 && { people: persons }),
      dryRun: isDryRun,
    });
    const sought = [
      ...report.tags.map(({ id }) => id),
      ...shown.flatMap(({ id, aliases }) => [id, ...aliases]),
    ];
    const found = (await backups?.holding(new Set(sought))) ?? [];
    return { ...report, backupsWithIt: [...new Set([...report.backupsWithIt, ...found])] };
  }

  async show(person: PersonId): Promise<ShownPerson> {
    const { id, name, number, aliases, timelines } = await this.#client.get<ServedPerson>(
      `/api/person?id=${person}`,
    );
    return {
      ...{ id, aliases, name: name ?? undefined, number: number ?? undefined },
      timelines: timelines.map(({ tag, holdings }) => ({
        tag,
        holdings: holdings.map(({ person: holder, until, why, since, isInDoubt }) => ({
          ...{ person: holder ?? undefined, until: until ?? undefined, why, since, isInDoubt },
        })),
      })),
    };
  }

  nameOf(id: TallyId): Promise<Name | undefined> {
    const name = this.#client.get<Name | undefined>(`/api/mapping?id=${id}&format=hex`);
    return name.catch(ifCode('NAME_NOT_FOUND', undefined));
  }

  person(wanted: TallyId | { readonly person: PersonId }): AsyncIterable<Uint8Array> {
    const query = typeof wanted === 'string' ? `id=${wanted}&format=hex` : `person=${wanted.person}`;
    return this.#client.read(`/api/person/data?${query}`);
  }

  /**
   * A dry run may use any value of `--keep`. Rejects with `INVALID_OPTION` if days are to be removed with another value than the
   * one of the service.
   */
  async retention({
    isDryRun,
    isConfirmed,
  }: {
    readonly isDryRun: boolean;
    readonly isConfirmed: boolean;
  }): Promise<ToldRetention> {
    const report = isDryRun ? await this.#plan() : await this.#remove(isConfirmed);
    const { keep, firstKept, doubt, days, backups, keepGuests, guests } = report;
    return {
      ...{ isDryRun: report.isDryRun, days, backups, guests, keepGuests: keepGuests ?? undefined },
      ...{ keep: keep ?? undefined, firstKept: firstKept ?? undefined, doubt: doubt ?? undefined },
    };
  }

  #plan(): Promise<ServedRetention> {
    const { keep } = this.#told;
    return this.#client.get(`/api/retention${keep === undefined ? '' : `?keep=${formatKeep(keep)}`}`);
  }

  async #remove(isConfirmed: boolean): Promise<ServedRetention> {
    this.#requireSame((await this.#client.get<ServedRetention>('/api/retention')).keep);
    return this.#client.post('/api/retention', { confirm: isConfirmed });
  }

  #requireSame(served: string | null): void {
    const { keep } = this.#told;
    if (keep === undefined || formatKeep(keep) === served) return;
    throw invalidOption(
      `--keep: the service that runs keeps ${served ?? 'all days'}, and not ${formatKeep(keep)}; leave --keep out, start the service with it, or only look with --dry-run`,
    );
  }
}
