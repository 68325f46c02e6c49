import { quote, type AuditNotes } from '@tallybook/domain';
import type {
  PublisherState,
  ServiceStatus as StatusJson,
  StorageState,
  UpstreamState,
} from '@tallybook/http-contract';
import { principalOf } from '../../access/principal-of.js';
import type { Shown } from '../../answers/json-of.js';
import { emptyAnswer, type Handlers } from '../implement.js';

/** Status of the service. What JSON writes as null may be missing. */
export type ServiceStatus = Shown<StatusJson>;
export type PublisherStatus = Shown<PublisherState>;
export type StorageStatus = Shown<StorageState>;
export type UpstreamStatus = Shown<UpstreamState>;

/** Reads the status of the service, which has no personal data. `read()` does not reject. */
export interface StatusSource {
  read(): Promise<ServiceStatus>;
  /** Has a publisher send its set-aside changes again, and go on. Returns `false` if there is no such publisher. */
  sendAgain(publisher: string): boolean;
}

/** Version, start, storage and publishers; and a publisher that sends its set-aside changes again, and goes on. */
export function statusHandlers(
  source: StatusSource,
  audit: AuditNotes | undefined,
): Handlers<'GET /api/status' | 'POST /api/publishers/send-again'> {
  return {
    'GET /api/status': () => source.read(),
    'POST /api/publishers/send-again': async ({ ctx, body: { name: publisher } }) => {
      if (typeof publisher !== 'string')
        return ctx.throw(400, `name: must be that of a publisher; got ${quote(publisher)}`);
      if (!source.sendAgain(publisher)) return ctx.throw(404, 'there is no such publisher');
      await audit?.note(principalOf(ctx).name, 'sent-again', { publisher });
      return emptyAnswer(202);
    },
  };
}
