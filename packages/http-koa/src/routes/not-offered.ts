import type Koa from 'koa';
import type { AppServices } from '../app-services.js';

interface OptionalService {
  /** The feature of the domain that adds it. Absent: it is an own part of the app. */
  readonly by?: string;
  /** Facets of the storage that it needs. Default: none. */
  readonly needs?: readonly string[];
  /** Names of paths below `/api/`, with all that are below them; a whole path; or a path with the only absent method. */
  readonly paths: readonly string[];
}

/** The services that an app may lack, with the paths that are absent then. */
const optional: Readonly<Partial<Record<keyof AppServices, OptionalService>>> = {
  corrections: { by: 'record()', needs: ['corrections'], paths: ['corrections', 'scans'] },
  backup: { by: 'record()', paths: ['export'] },
  ranges: { by: 'record()', paths: ['table', 'csv', 'xlsx'] },
  directory: {
    by: 'record()',
    needs: ['people'],
    paths: ['person', 'tag', 'groups', 'guest', 'GET people'],
  },
  imports: { by: 'record()', paths: ['POST people'] },
  unnamed: { by: 'record()', paths: ['unnamed'] },
  health: { by: 'record()', paths: ['health'] },
  tags: { by: 'record({ digest })', paths: ['id'] },
  access: {
    by: 'access()',
    needs: ['access'],
    paths: ['session', 'setup', 'password', 'users', 'credentials', 'tokens', 'passkeys'],
  },
  audit: { by: 'access()', needs: ['audit'], paths: ['audit'] },
  personal: { by: 'personal()', needs: ['erasures'], paths: ['erasures', 'retention', 'person/data'] },
  centre: {
    by: 'sync()',
    needs: ['provisional', 'corrections', 'erasures', 'stampedNames', 'stations'],
    paths: ['sync', 'stations'],
  },
  statusSource: { paths: ['status', 'publishers'] },
  restore: { paths: ['restore'] },
  settings: { paths: ['settings', 'restart'] },
  metrics: { paths: ['metrics'] },
};

/** Says on the path of an absent service why it is absent: 404. */
export function explainAbsence(services: AppServices): Koa.Middleware {
  const facets = services.storage as object as Readonly<Record<string, unknown>> | undefined;
  const reasons = new Map<string, string>();
  for (const [service, { by, needs = [], paths }] of Object.entries(optional)) {
    if (services[service as keyof AppServices] !== undefined) continue;
    const lacking = needs.filter((facet) => facets !== undefined && facets[facet] === undefined);
    const ofApp = `the app has no ${service}${by === undefined ? '' : `, which ${by} adds`}`;
    const reason = lacking.length > 0 ? `the storage has no ${lacking.join(', ')}` : ofApp;
    for (const path of paths) reasons.set(path, `Not offered here: ${reason}`);
  }
  return (ctx, next) => {
    const [, path = '', first = ''] = /^\/api\/(([^/]+).*)$/.exec(ctx.path) ?? [];
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    const reason = reasons.get(path) ?? reasons.get(`${method} ${path}`) ?? reasons.get(first);
    return reason === undefined ? next() : ctx.throw(404, reason);
  };
}
