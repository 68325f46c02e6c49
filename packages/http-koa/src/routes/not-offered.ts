import type Koa from 'koa';
import type { AppServices } from '../app-services.js';

interface OptionalService {
  /** The feature of the domain that adds it. Absent: it is an own part of the app. */
  readonly by?: string;
  /** Facets of the storage that it needs. Default: none. */
  readonly needs?: readonly string[];
  /** Below `/api/`. */
  readonly paths: readonly string[];
  /** Paths that are absent for `GET` only. Default: none. */
  readonly reads?: readonly string[];
}

/** The services that an app may lack, with the paths that are absent then. */
const optional: Readonly<Partial<Record<keyof AppServices, OptionalService>>> = {
  corrections: {
    by: 'record()',
    needs: ['corrections'],
    paths: ['corrections', 'corrections/decision', 'scans'],
  },
  backup: { by: 'record()', paths: ['export'] },
  ranges: { by: 'record()', paths: ['table', 'csv', 'xlsx'] },
  directory: {
    by: 'record()',
    needs: ['people'],
    paths: ['person', 'person/merge', 'person/split', 'tag'],
    reads: ['people'],
  },
  unnamed: { by: 'record()', paths: ['unnamed'] },
  health: { by: 'record()', paths: ['health', 'health/live', 'health/ready'] },
  tags: { by: 'record({ digest })', paths: ['id'] },
  access: {
    by: 'access()',
    needs: ['access'],
    paths: [
      ...['session', 'session/provider', 'session/provider/answer', 'session/provider/sign-out'],
      ...['session/passkey', 'session/passkey/challenge', 'passkeys', 'passkeys/challenge'],
      ...['setup', 'password', 'users', 'credentials', 'tokens'],
    ],
  },
  audit: { by: 'access()', needs: ['audit'], paths: ['audit'] },
  personal: {
    by: 'personal()',
    needs: ['erasures'],
    paths: ['erasures', 'retention', 'person/data'],
  },
  centre: {
    by: 'sync()',
    needs: ['provisional', 'corrections', 'erasures', 'stampedNames', 'stations'],
    paths: ['sync', 'sync/changes', 'sync/snapshot', 'stations'],
  },
  statusSource: { paths: ['status', 'publishers/send-again'] },
  metrics: { paths: ['metrics'] },
};

/** Says on the path of an absent service why it is absent: 404. */
export function explainAbsence(services: AppServices): Koa.Middleware {
  const facets = services.storage as object as Readonly<Record<string, unknown>> | undefined;
  const reasons = new Map<string, string>();
  for (const [service, { by, needs = [], paths, reads = [] }] of Object.entries(optional)) {
    if (services[service as keyof AppServices] !== undefined) continue;
    const lacking = needs.filter((facet) => facets !== undefined && facets[facet] === undefined);
    const ofApp = `the app has no ${service}${by === undefined ? '' : `, which ${by} adds`}`;
    const reason = lacking.length > 0 ? `the storage has no ${lacking.join(', ')}` : ofApp;
    for (const path of paths) reasons.set(`/api/${path}`, `Not offered here: ${reason}`);
    for (const path of reads)
      for (const method of ['GET', 'HEAD'])
        reasons.set(`${method} /api/${path}`, `Not offered here: ${reason}`);
  }
  return (ctx, next) => {
    const reason = reasons.get(ctx.path) ?? reasons.get(`${ctx.method} ${ctx.path}`);
    return reason === undefined ? next() : ctx.throw(404, reason);
  };
}
