// Who may import whom. The picture is in docs/explanation/why-ports.md.
const packages = '^packages/([^/]+)/';

/** The folders behind the first entrance of the domain. */
const root = ['values', 'ports', 'time', 'journal', 'attendance'];

/**
 * Folders that have rooms, and into which others of the same folder each room may look. Files beside the rooms are for all, but
 * `index.ts`.
 */
const rooms = {
  'packages/domain/src': {
    values: [],
    ports: ['values'],
    time: ['values', 'ports'],
    journal: ['values', 'ports'],
    attendance: ['values', 'ports', 'time', 'journal'],
    people: ['values', 'ports', 'time'],
    // The other entrances: each may import those before it.
    record: [...root, 'people'],
    access: [...root, 'record'],
    personal: [...root, 'people', 'record', 'access'],
    sync: [...root, 'people', 'record', 'access', 'personal'],
  },
  'packages/domain/src/values': { ids: [], people: [], record: ['people'] },
  'packages/domain/src/ports': { record: [], names: [], people: [], devices: [] },
  'packages/domain/src/record': {
    values: [],
    ports: ['values'],
    names: [],
    corrections: ['values', 'ports'],
    backup: ['values', 'ports', 'corrections'],
    ranges: [],
    people: ['names', 'ports', 'corrections', 'ranges'],
    health: [],
  },
  'packages/domain/src/access': {
    values: [],
    ports: ['values'],
    audit: ['values', 'ports'],
    credentials: ['values', 'ports'],
    passwords: ['values', 'ports', 'credentials'],
    passkeys: ['values', 'ports', 'passwords', 'credentials'],
    provider: ['values', 'ports', 'passkeys', 'credentials'],
    users: ['values', 'ports', 'passwords', 'credentials', 'provider'],
  },
  'packages/domain/src/sync': {
    values: [],
    ports: ['values'],
    items: ['values', 'ports'],
    centre: ['values', 'ports', 'items'],
    station: ['values', 'ports', 'items'],
  },
  'packages/domain/src/sync/centre': { merge: [] },
  'packages/testing/src': { contracts: [], fakes: ['contracts'] },
  'packages/testing/src/contracts': {
    record: [],
    names: ['record'],
    access: [],
    devices: [],
    sync: [],
    people: ['names', 'record'],
  },
  'packages/testing/src/contracts/record': { erasure: [] },
  'packages/store-level/src': {
    'leveldb-files': [],
    level: [],
    rows: ['leveldb-files', 'level'],
    queries: ['rows', 'level'],
    directory: ['rows', 'level'],
    repair: ['directory', 'queries', 'rows', 'leveldb-files', 'level'],
    database: ['repair', 'directory', 'queries', 'rows', 'leveldb-files', 'level'],
    stores: ['database', 'queries', 'rows', 'level'],
  },
  'packages/store-postgres/src': {
    connection: [],
    schema: ['connection'],
    rows: ['connection'],
    database: ['schema', 'rows', 'connection'],
    stores: ['database', 'rows', 'connection'],
  },
  'packages/store-postgres/src/database': { writer: [] },
  'packages/http-contract/src': { operations: [] },
  'packages/http-koa/src': {
    answers: [],
    events: ['answers'],
    requests: ['answers'],
    page: ['answers'],
    access: ['requests', 'answers'],
    routes: ['requests', 'events', 'answers', 'access'],
  },
  'packages/http-koa/src/routes': {
    access: [],
    ranges: [],
    corrections: ['ranges'],
    days: ['corrections', 'service'],
    names: [],
    people: [],
    personal: [],
    readers: [],
    service: [],
    sync: [],
  },
  'packages/devices/src': { mqtt: [], publishing: [] },
  'packages/readers/src': {
    formats: [],
    hid: ['formats'],
    http: ['formats'],
    mqtt: ['formats'],
    pcsc: ['formats'],
    serial: ['formats'],
    simulated: ['formats'],
    stdin: ['formats'],
    wiegand: ['formats'],
  },
  'packages/readers/src/serial': { decoders: [] },
  'packages/outputs/src': { gpio: [], mqtt: [], webhook: [] },
  'packages/client/src': { requests: [], events: ['requests'] },
  'packages/spreadsheets/src': { 'name-list': ['workbook-reading'], workbook: [], 'workbook-reading': [] },
  'packages/web/src': {
    state: [],
    texts: [],
    parts: ['state', 'texts'],
    pages: ['parts', 'state', 'texts'],
  },
  'packages/web/src/pages': {
    access: [],
    days: [],
    enrol: [],
    groups: [],
    guests: [],
    import: [],
    kiosk: [],
    muster: [],
    people: [],
    person: [],
    personal: [],
    'phone-reader': [],
    settings: [],
    'sign-in': [],
    system: [],
    today: ['muster'],
  },
  'packages/web/src/parts': {
    access: [],
    form: [],
    corrections: ['form'],
  },
  'packages/server/src': {
    config: [],
    log: ['config'],
    backup: ['log'],
    http: [],
    control: [],
    health: ['config', 'log', 'backup'],
    metrics: ['http', 'health', 'backup'],
    systemd: ['log'],
    doctor: [],
    'stored-settings': ['config', 'doctor', 'systemd'],
    audit: ['config', 'log'],
    copy: ['config'],
    wiring: [
      ...['config', 'log', 'backup', 'audit', 'http', 'control', 'health', 'metrics', 'systemd'],
      'stored-settings',
    ],
    'command-line': [
      ...['wiring', 'copy', 'config', 'log', 'backup', 'audit', 'http', 'control', 'systemd', 'doctor'],
    ],
  },
  'packages/server/src/wiring': { modules: [] },
  'packages/server/src/command-line': {
    access: [],
    doctor: [],
    personal: ['access'],
    definitions: ['access', 'doctor', 'personal'],
  },
  'reliability/fuzz': { http: [], imports: ['http'], readers: ['http'] },
};

const roomRules = Object.entries(rooms).flatMap(([folder, allowed]) =>
  Object.entries(allowed).map(([room, others]) => ({
    name: `${folder.replace(/^packages\/|\/src/g, '')}-${room}-imports-${others.join('-') || 'no-other-room'}`,
    severity: 'error',
    comment: 'Rooms look into each other in one direction only.',
    from: { path: `^${folder}/${room}/` },
    to: {
      path: `^${folder}/`,
      pathNot: `^${folder}/(?:(?:${[room, ...others].join('|')})/|(?!index)[^/]+$)`,
    },
  })),
);

module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'leveldb-files-could-be-published',
      severity: 'error',
      comment: 'It reads what LevelDB writes, and knows nothing of ours.',
      from: { path: '^packages/store-level/src/leveldb-files/' },
      to: { path: '^packages/', pathNot: '^packages/store-level/src/leveldb-files/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Data flows one way.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      comment: 'A package imports only what its package.json declares.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'The domain imports nothing but itself: no library, no node: module.',
      from: { path: '^packages/domain/src/' },
      to: { pathNot: '^packages/domain/src/' },
    },
    {
      name: 'domain-root-imports-no-other-entrance',
      severity: 'error',
      comment:
        'Whoever records taps installs the first entrance alone; the others look into it, never the other way round.',
      from: { path: '^packages/domain/src/[^/]+$' },
      to: { path: '^packages/domain/src/(?:record|access|personal|sync)/' },
    },
    {
      name: 'testing-imports-domain-and-memory-stores-only',
      severity: 'error',
      comment:
        'A device author adopts a contract with any runner, so testing needs domain, the memory stores and node:assert only.',
      from: { path: '^packages/testing/src/' },
      to: { pathNot: ['^packages/(testing|store-memory|domain)/src/', '^(node:)?assert'] },
    },
    {
      name: 'adapters-import-domain-only',
      severity: 'error',
      comment: 'Adapters never import each other.',
      from: {
        path: '^packages/(store-level|store-postgres|store-memory|devices|system|identity-oidc|passkeys-webauthn|spreadsheets|upstream-http|http-contract)/src/',
      },
      to: { path: '^packages/', pathNot: ['^packages/domain/src/', '^packages/$1/src/'] },
    },
    {
      name: 'http-koa-imports-the-contract-and-spreadsheets',
      severity: 'error',
      comment:
        'It serves the operations of the contract, hands out tables and takes lists of names as files.',
      from: { path: '^packages/http-koa/src/' },
      to: { path: '^packages/', pathNot: ['^packages/(domain|http-contract|spreadsheets|http-koa)/src/'] },
    },
    {
      name: 'adapters-of-devices-share-devices',
      severity: 'error',
      comment:
        'What adapters of devices have in common is in a package of its own; they never import each other.',
      from: { path: '^packages/(readers|outputs)/src/' },
      to: { path: '^packages/', pathNot: ['^packages/(domain|devices)/src/', '^packages/$1/src/'] },
    },
    {
      name: 'client-imports-types-only',
      severity: 'error',
      comment:
        'It is loaded by pages and small devices: its code imports nothing, and runs in browsers as in Node.',
      from: { path: '^packages/client/src/' },
      to: { pathNot: '^packages/client/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-takes-types-of-the-contract',
      severity: 'error',
      comment: 'They say what the service answers.',
      from: { path: '^packages/client/src/' },
      to: { pathNot: '^packages/(client|http-contract)/src/' },
    },
    {
      name: 'only-the-server-sees-the-server',
      severity: 'error',
      comment: 'Imports point at the domain.',
      from: { path: '^packages/(?!server/)' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'web-imports-client-only',
      severity: 'error',
      comment: 'The page asks the service as every other program does; a browser has nothing else of ours.',
      from: { path: '^packages/web/src/' },
      to: { path: '^packages/', pathNot: ['^packages/(client|web)/src/'] },
    },
    {
      name: 'inversify-in-the-container-only',
      severity: 'error',
      comment: 'Every other class is plain, so that a device app can construct it with `new`.',
      from: {
        pathNot: ['^packages/server/src/wiring/', '/test/', '^examples/'],
      },
      to: { path: 'node_modules/(inversify|@inversifyjs|reflect-metadata)/' },
    },
    {
      name: 'sources-do-not-import-tests',
      severity: 'error',
      from: { path: `${packages}src/` },
      to: { path: '/test/' },
    },
    {
      name: 'no-undeclared-dependency',
      severity: 'error',
      comment: 'Sources use what is declared as a dependency or a peer, not development tools.',
      // The page is built into files, which need nothing any more.
      from: { path: '^packages/(?!web/)[^/]+/src/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: ['^packages/', 'node_modules/@types/'],
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    doNotFollow: { path: ['node_modules', '/dist/'] },
    // What is built.
    exclude: { path: ['/dist/', '^packages/server/program/'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@tallybook/source', 'import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
