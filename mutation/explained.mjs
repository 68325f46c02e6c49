/**
 * Mutants that no test needs to notice, by the reason. A change has the form of the report: the text of the source,
 * an arrow, the mutated text. If the source has this text several times, more of it is added, and « and » enclose the
 * changed part: `lines.pop() ?? «''» -> "Stryker was here!"`. A test checks that each change fits exactly one place.
 */
export const explained = {
  'On the bound both sides are right.': {
    'web/state/days.ts': ['one <= other -> one < other'],
    'domain/values/record/attendance-day.ts': [
      'at < entry.first -> at <= entry.first',
      'at > entry.last -> at >= entry.last',
    ],
    'domain/values/record/provisional.ts': ['shown <= latest -> shown < latest'],
    'domain/time/timekeeper.ts': [
      'at > this.#latestScan -> at >= this.#latestScan',
      'latestScan > this.#builtAt -> latestScan >= this.#builtAt',
    ],
    'http-koa/routes/ranges/routes-table.ts': ['text.length < PIECE_LENGTH -> text.length <= PIECE_LENGTH'],
  },
  'The result is the same without a return: undefined counts as it, and awaiting undefined is the same as awaiting a resolved promise.':
    {
      'web/state/kept.ts': ['{ return undefined; } -> {}'],
      'web/event-stream.ts': [
        '\'scan\' -> ""',
        "case 'scan': // Its `attendance` follows within milliseconds, with all data. break; -> case 'scan':",
      ],
      'store-level/database/open-level.ts': ['{ return undefined; } -> {}'],
      'devices/device-file.ts': ['{ return undefined; } -> {}'],
      'devices/program.ts': ['{ return false; } -> {}'],
      'store-postgres/database/writer/group-commit.ts': ['{ return false; } -> {}'],
      'server/metrics/metrics.ts': ['onOpen(): Promise<void> «{ return Promise.resolve(); }» -> {}'],
      'store-memory/memory-store.ts': [
        'onOpen(): Promise<void> «{ return Promise.resolve(); }» -> {}',
        'onClose(): Promise<void> «{ return Promise.resolve(); }» -> {}',
      ],
      'store-memory/memory-snapshot-source.ts': ['() => Promise.resolve() -> () => undefined'],
      'domain/sync/items/down-items.ts': ["case 'provisional': return false; -> case 'provisional':"],
    },
  'Either all groups of the expression match, or none.': {
    'client/events/event-parser.ts': ['value = «\'\'» -> "Stryker was here!"'],
    'system/scrypt-text.ts': [
      '[] -> ["Stryker was here"]',
      'salt === undefined || hash === undefined -> salt === undefined && hash === undefined',
      'salt === undefined -> false',
    ],
  },
  'Base64 has = at its end only, and the text "undefined" is no hash.': {
    'system/scrypt-text.ts': ['/=+$/ -> /=+/'],
    'system/system-secrets.ts': ['hash === undefined -> false'],
  },
  'The hash that is used for an unknown user is random, so no password matches it.': {
    'system/system-secrets.ts': ['known === undefined -> false'],
  },
  'Needed for the compiler only: the value is there, the code around it refuses or ignores the same values, or a comparison with NaN or undefined is false.':
    {
      'domain/lifecycle.ts': ['failures.length > 1 -> failures.length >= 1'],
      'domain/values/name.ts': ['a < b -> a <= b'],
      'domain/values/day.ts': ["typeof value === 'number' -> true"],
      'domain/values/timestamp.ts': ["typeof value === 'number' -> true"],
      'domain/attendance/attendance-service.ts': ["found.status === 'fulfilled' -> true"],
      'domain/record/backup/backup-service.ts': [
        'day === undefined || entries === undefined -> day === undefined && entries === undefined',
        'day === undefined -> false',
        'entries === undefined -> false',
        'provisional !== undefined -> true',
      ],
      'store-level/repair/inspect-files.ts': [
        '?.tables ?? «[]» -> ["Stryker was here"]',
        '\'latin1\')) ?? «[]» -> ["Stryker was here"]',
        '\'\' -> "Stryker was here!"',
      ],
      'store-level/database/level-handle.ts': ['«this.#level === undefined» || -> false'],
      'store-level/database/open-level.ts': ['sealed === undefined -> false'],
      'store-level/queries/read-provisional.ts': ["!isTallybookError(error, 'STORE_CORRUPT') -> false"],
      'store-level/rows/row-kinds.ts': [
        'first = «-1» -> +1',
        'second = «-1» -> +1',
        '«kind?.check»( -> kind.check',
      ],
      'store-level/repair/salvage.ts': ['value !== undefined -> true'],
      'store-level/leveldb-files/numbers.ts': ['byte === undefined -> false'],
      'store-level/leveldb-files/table-file.ts': ['offset < 0 -> false'],
      'system/system-clock.ts': ['this.#leadMs !== undefined -> true'],
      'outputs/gpio/lamp-lines.ts': ["end.how === 'exited' -> true"],
      'client/events/event-parser.ts': ['lines.pop() ?? «\'\'» -> "Stryker was here!"'],
      'devices/device-url.ts': ['!isTallybookError(cause) -> false'],
      'devices/program.ts': ['lines.pop() ?? «\'\'» -> "Stryker was here!"'],
      'testing/contracts/record/day-store.ts': [
        '(await store.load(toDay(0)))?.entries -> (await store.load(toDay(0))).entries',
        '«(await store.load(day))?.entries», [entry(ada, at(0), at(0), 1) -> (await store.load(day)).entries',
        '«(await store.load(day))?.entries», [entry(ada, at(10), at(90), 4) -> (await store.load(day)).entries',
        '«(await store.load(day))?.entries», [entry(ada, at(0), at(20), 3) -> (await store.load(day)).entries',
        '«(await store.load(day))?.entries», [entry(ada, at(5), at(5), 1) -> (await store.load(day)).entries',
        '«(await store.load(day))?.entries», [entry(ada, at(5), at(40), 9) -> (await store.load(day)).entries',
        '«(await store.load(day))?.entries», [entry(ada, at(5), at(31), 4) -> (await store.load(day)).entries',
        'store.listRevision()); assert.equal(new Set(revisions).size, revisions.length, `a revision came twice: ${revisions.join(«\', \'» -> ""',
      ],
      'testing/contracts/devices/id-source.ts': [
        "'open'); await «subject.plug?.()» -> subject.plug()",
        "'waiting'); await «subject.plug?.()» -> subject.plug()",
        "'READER_DISCONNECTED'); await «subject.plug?.()» -> subject.plug()",
        'values; await «subject.plug?.()» -> subject.plug()',
      ],
      'testing/contracts/record/snapshot-source.ts': [
        '«provisional?.add»({ ...held, id: cyd -> provisional.add',
      ],
      'server/backup/backup-folder.ts': ['NAME.exec(name) ?? «[]» -> ["Stryker was here"]'],
      'server/doctor/device-survey.ts': ['label !== undefined -> true'],
      'server/command-line/access/setup-code-command.ts': ['\'\' -> "Stryker was here!"'],
      'identity-oidc/ticket.ts': ['[] -> ["Stryker was here"]'],
      'passkeys-webauthn/webauthn-passkey-verifier.ts': ['registrationInfo === undefined -> false'],
      'domain/sync/station/upload.ts': ['part.at(-1)?.cursor -> part.at(-1).cursor'],
      'domain/record/corrections/correct-day.ts': ['its.at(-1)?.number -> its.at(-1).number'],
      'spreadsheets/workbook/parts.ts': ['entities[character] ?? «\'\'» -> "Stryker was here!"'],
      'spreadsheets/csv.ts': ['?? «\'text\'» -> ""'],
      'readers/http/pushed-reading.ts': [
        'n !== undefined -> true',
        'at !== undefined -> true',
        "typeof number === 'number' -> true",
      ],
      'readers/http/device-numbers.ts': ['n > this.#upTo -> n >= this.#upTo', 'oldest !== undefined -> true'],
      'devices/device-registry.ts': [
        'SCHEME.exec(url)?.[1]?.toLowerCase -> SCHEME.exec(url)?.[1].toLowerCase',
      ],
      'testing/contracts/record/provisional-store.ts': [
        'store.add(other), «kept[0]?.sequence» -> kept[0].sequence',
      ],
      'testing/contracts/record/correction-store.ts': [
        'made.at(-1)?.number -> made.at(-1).number',
        'made?.number -> made.number',
      ],
      'testing/contracts/audit-store.ts': ['`entries after ${after} begin with it` -> ``'],
      'testing/contracts/names/merged-names.ts': ['`${size} of 200 names were there` -> ``'],
      'server/control/owner-client.ts': ['message ?? «\'\'» -> "Stryker was here!"'],
      'server/config/stores.ts': [
        'path = «\'\'»] = URL_SHAPE -> "Stryker was here!"',
        '(await «scheme?.exists»(path, url)) === false -> scheme.exists',
      ],
      'web/state/phone-reader.ts': [
        'run !== «taps[0]?.run» -> taps[0].run',
        'run = «taps[0]?.run» -> taps[0].run',
        'taps[0]?.run ?? «\'\'» -> "Stryker was here!"',
      ],
      'web/state/session.ts': [
        '«this.clock.told.peek()?.zone» ?? -> this.clock.told.peek().zone',
        'told.peek()?.zone ?? «\'UTC\'» -> ""',
      ],
      'web/texts/topics/personal.ts': ['?? «[]» -> ["Stryker was here"]'],
      'store-postgres/connection/password.ts': ["process.platform !== 'win32' -> true"],
      'store-postgres/rows/stored-values.ts': [
        "typeof value !== 'object' || «value === null» -> false",
        "typeof value !== 'object' || value === null || Array.isArray(value) -> (typeof value !== 'object' || value === null) && Array.isArray(value)",
      ],
      'store-postgres/connection/connections.ts': ['stream === undefined -> false'],
      'store-postgres/connection/postgres-url.ts': [
        "environment['PGHOST'] ?? «'localhost'» -> \"\"",
        "return «host.startsWith('/')» -> host.endsWith('/')",
      ],
    },
  'A buffer keeps only the lowest eight bits of what is written into it.': {
    'store-level/leveldb-files/numbers.ts': ['(rest % 0x80) + 0x80 -> rest % 0x80 - 0x80'],
  },
  'It must only differ from the others: from the value before, or from other words and keys.': {
    'store-level/database/row-check.ts': ['++blocks -> --blocks'],
    'outputs/gpio/pattern-player.ts': ['this.#schedule(«\'gap\'» -> ""'],
    'store-memory/memory-day-store.ts': [
      '(this.#dayRevisions.get(day) ?? 0) + 1 -> (this.#dayRevisions.get(day) ?? 0) - 1',
    ],
    'server/http/key-pair.ts': [
      "#toldExpiry: 'nothing' | 'soon' | 'over' = «'nothing'» -> \"\"",
      'this.#toldExpiry = «\'nothing\'» -> ""',
    ],
    'web/state/days-table.ts': [
      "«state === 'pending'»}`; -> state !== 'pending'",
      'number >= (latest.get(key)?.number ?? 0) -> number > (latest.get(key)?.number ?? 0)',
    ],
  },
  'A value that is set before anybody reads it, or a default for what was refused before.': {
    'web/routing.ts': ['signal(«\'/\'») -> ""'],
    'web/state/presence.ts': ['isStale = «false»; /** -> true', 'Tap[] = «[]» -> ["Stryker was here"]'],
    'server/log/attendance-log.ts': ['readonly Subscription[] = «[]» -> ["Stryker was here"]'],
    'server/log/output-log.ts': ['readonly Subscription[] = «[]» -> ["Stryker was here"]'],
    'store-postgres/database/postgres-database.ts': ['let isReusable = «false»; -> true'],
    'store-postgres/database/writer/group-commit.ts': ['let isReusable = «false»; -> true'],
    'store-postgres/schema/site-calendar.ts': ['kept?.split(\' \') ?? «[]» -> ["Stryker was here"]'],
  },
  'Only what it costs differs: work, memory, a delay, or the turns of other work.': {
    'domain/attendance/repeat-window.ts': ['this.#windowMs === 0 -> false'],
    'store-level/leveldb-files/log-file.ts': [
      'first !== undefined && first.length >= BEGINNING_BYTES -> false',
      'first.length >= BEGINNING_BYTES -> first.length > BEGINNING_BYTES',
      'first !== undefined && rest.length === 0 -> false',
      '«first !== undefined» && first.length -> true',
      '«first !== undefined» && rest.length -> true',
      '«first !== undefined» && first.length -> first === undefined',
      '«first !== undefined» && rest.length -> first === undefined',
    ],
    'store-level/database/open-level.ts': ['damages.length === 0 -> false'],
    'store-level/database/row-check.ts': ['damages.length > 0 -> false'],
    'store-level/database/group-commit.ts': ['keys > GROUP_KEYS_MAX -> keys >= GROUP_KEYS_MAX'],
    'devices/mqtt/mqtt-connection.ts': ['client.stream instanceof Socket -> false'],
    'devices/program.ts': ["{ stdio: 'ignore' } -> {}", '\'ignore\' -> ""'],
    'domain/sync/items/down-items.ts': ["({ change }) => «change.kind === 'erased'» -> true"],
    'domain/sync/station/up-items.ts': ['reader !== undefined -> true'],
    'domain/sync/station/apply-items.ts': ['«welcome.length === 0») return; const made -> false'],
    'domain/sync/station/download.ts': [
      'group.length < GROUP_SIZE -> group.length <= GROUP_SIZE',
      'group.length < GROUP_SIZE -> true',
    ],
    'server/control/served-audit-store.ts': ['\'limit=1\' -> ""'],
    'spreadsheets/name-list/json-lines.ts': ['++count -> --count'],
    'spreadsheets/name-list/csv-lines.ts': ['at < text.length -> at <= text.length'],
    'devices/publishing/change-feed.ts': ["'outcome' in change || change.kind === 'provisional' -> true"],
    'server/copy/copy-names.ts': [
      'taken.length > 0 -> taken.length >= 0',
      'isMerging && «name === undefined») -> true',
    ],
    'server/copy/copy-stores.ts': ['entries.length === 0 -> false'],
    'server/copy/survey-stores.ts': ['a > b -> true'],
    'store-postgres/stores/erasure/find-tags.ts': ['() => performance.now() -> () => undefined'],
    'store-postgres/stores/erasure/erase-tag.ts': ['changed.length > 0 -> true'],
    'store-postgres/stores/erasure/postgres-erasure-store.ts': [
      'const row = seen ?? (await this.#database.readRow()); if («this.#erasures.isOf(row)») -> false',
    ],
    'store-postgres/database/writer/postgres-writer.ts': [
      'if («error instanceof LostAnswer») doubt = error; -> true',
    ],
  },
  'Two copies of one state of a row, in a log and in the table that was made from it: both are right.': {
    'store-level/repair/salvage.ts': ['compare(a, b) < 0 -> compare(a, b) <= 0'],
  },
  'A test cannot act at this moment: another process would have to act between two checks, or the power be cut between two calls.':
    {
      'store-level/database/open-level.ts': [
        '«await isUnfinished(directory)») await removeStoreFiles -> true',
      ],
    },
  'Only for a path on a missing drive. On systems without drives, the root folder always exists.': {
    'store-level/directory/store-directory.ts': ['dirname(path) === path -> false'],
  },
  'The list has one more error, but it is no damage, so it is not noted.': {
    'store-level/database/level-handle.ts': ['TallybookError[] = «[]» -> ["Stryker was here"]'],
  },
  'The name is ASCII, which is the same in all possible encodings.': {
    'store-level/repair/inspect-files.ts': ['\'latin1\' -> ""'],
  },
  'Words for people: of an error, a help text, a progress or a failing case.': {
    'domain/sync/items/parse-sync.ts': [
      '\'message\' -> ""',
      'asWhole(«\'an answer\'» -> ""',
      'asWhole(«\'a part of a snapshot\'» -> ""',
    ],
    'domain/record/corrections/correct-day.ts': ['\'counts already\' -> ""'],
    'testing/contracts/record/day-store.ts': [
      "store.dayRevision(day)); } assert.equal(new Set(revisions).size, revisions.length, «`a revision came twice: ${revisions.join(', ')}`» -> ``",
      "store.listRevision()); assert.equal(new Set(revisions).size, revisions.length, «`a revision came twice: ${revisions.join(', ')}`» -> ``",
    ],
    'testing/contracts/record/provisional-store.ts': ["`these do not ascend: ${sequences.join(', ')}` -> ``"],
    'server/command-line/definitions/access-definitions.ts': [
      '\'link a user to the identity provider, or end the link\' -> ""',
    ],
    'server/command-line/backup-commands.ts': ["`importing ${counted(records, 'record')},` -> ``"],
    'server/command-line/access/setup-code-command.ts': ['{ cause } -> {}'],
  },
  'An empty PATH means only the working folder. The mutant searches a missing folder instead.': {
    'devices/program.ts': ["process.env['PATH'] ?? «''» -> \"Stryker was here!\""],
  },
  'It is the default of the library, or of Node.': {
    'devices/mqtt/create-client.ts': ["'mqtts' : «'mqtt'» -> \"\""],
    'devices/program.ts': ["{ stdio: 'pipe' } -> {}", '\'pipe\' -> ""'],
  },
  'Messages of quality 0 have no id, and no code searches for a message without an id.': {
    'devices/mqtt/mqtt-connection.ts': ['qos !== 0 -> true'],
  },
  'The expression finds the same in all texts that come here.': {
    'readers/mqtt/mqtt-payloads.ts': ['/h$/ -> /h/'],
    'http-koa/answers/entity-tags.ts': ['/^W\\// -> /W\\//'],
    'server/backup/backup-folder.ts': ['/\\.000Z$/ -> /\\.000Z/'],
    'server/wiring/identity-provider.ts': ['/^\\[|\\]$/g -> /^\\[|\\]/g'],
    'server/http/page.ts': ['addresses ?? «[]» -> ["Stryker was here"]', '/\\..*$/ -> /\\..*/'],
  },
  'A text without digits is read as zero too.': {
    'devices/device-url.ts': ['\'0\' -> ""'],
  },
  'For a machine without an id, every constant text is right. The machines of the tests have an id.': {
    'devices/mqtt/create-client.ts': ['\'\' -> "Stryker was here!"'],
  },
  'Tests run on machines without systemd, so the folder is missing under every name. A device has it.': {
    'system/ask-timedatectl.ts': ['\'/run/systemd/system\' -> ""'],
  },
  'A contract tries several values of a kind: with another one, with one less, or with a turn more it finds the same sabotaged fakes.':
    {
      'testing/contracts/names/mapping-store.ts': [
        '\'👩🏽‍🚒\' -> ""',
        '\'\\u{10FFFD}\' -> ""',
        '\'é\' -> ""',
        'n < 30 -> n <= 30',
      ],
      'testing/contracts/access/access-store.ts': [
        '«\'x\'».repeat(240) -> ""',
        "[{ ...token, label: 'gate' }] -> []",
      ],
      'testing/contracts/access/identity-provider.ts': ['`${ticket}x` -> ``'],
      'testing/contracts/access/passkey-verifier.ts': ['2 ** 32 - 1 -> 2 ** 32 + 1'],
      'testing/contracts/audit-store.ts': ['\'a\' -> ""', '\'c\' -> ""'],
      'testing/contracts/fixtures.ts': ['\'👩‍👩‍👧‍👦\' -> ""'],
      'testing/contracts/devices/receipt-store.ts': [
        "store.latest(«'gate'», 'run 1') -> \"\"",
        "store.latest(«'door'», 'run'), 0) -> \"\"",
      ],
      'testing/contracts/names/merged-names.ts': ['{ name: grace, its: undefined } -> {}'],
      'testing/contracts/names/stamps.ts': [
        '\'Zoë "\\\\\' -> ""',
        '\'\\u{10FFFD}\' -> ""',
        '[...ids].reverse() -> [...ids]',
      ],
      'testing/contracts/record/erasure/erasure-data.ts': [
        "«at(5) * 1_000», counter: 0, node: 'hall' }; await Promise -> at(5) / 1_000",
        "at(5), «{ reader: 'door' }» -> {}",
        'const name = { first: «\'Ada\'» -> ""',
        "'Bob', last: «''» -> \"Stryker was here!\"",
      ],
      'testing/contracts/record/journal-changes.ts': [
        '{ id: bob, first: at(0), last: at(0), count: 1 } -> {}',
      ],
      'testing/contracts/sync/station-store.ts': ['-9 -> +9'],
      'testing/contracts/record/journal.ts': ['turn < TURNS -> turn <= TURNS'],
      'testing/contracts/record/correction-store.ts': [
        'correct: (store) => store.correct(«[addition]») -> []',
      ],
      'testing/contracts/devices/id-source.ts': ['«value === bob»); assert.deepEqual(watch -> true'],
    },
  'No service has that name, and the search for circles begins at a name.': {
    'server/wiring/module-of.ts': ['toConstantValue(«[]») -> ["Stryker was here"]'],
  },
  'Between giving up and being forgotten, no other code runs.': {
    'http-koa/answers/answers.ts': ['this.#current.get(key) === read -> true'],
  },
  'The expression matches from the first character on anyway, and the default has no effect: undefined is not over, and a missing header names no file.':
    {
      'client/events/event-parser.ts': ['/^([^:]*):? ?(.*)$/s -> /([^:]*):? ?(.*)$/s'],
      'client/requests/transport.ts': [
        '{ isOver: false } -> {}',
        "'Content-Disposition') ?? «''» -> \"Stryker was here!\"",
      ],
    },
  'An undefined option is the same as a missing one.': {
    'server/backup/write-backup.ts': ['signal === undefined -> false'],
  },
  'Only this process uses the socket, so every folder is right; the store is locked meanwhile.': {
    'server/command-line/access/with-owner.ts': ['ofStore !== undefined -> false'],
  },
  'If the journal ends before the position, the search for the oldest change gives the latest one at once.': {
    'domain/journal/journal-consumer.ts': ["page.reason === 'too-old' -> true"],
  },
  'The default is for a text without lines, where every text without a separator is right; and a match has only line ends, or none.':
    {
      'spreadsheets/name-list/json-lines.ts': ['/^[\\r\\n]/ -> /[\\r\\n]/'],
    },
  'Readings without a number would be noted as undefined, and no code searches for that.': {
    'readers/http/http-id-source.ts': ['«n !== undefined») seen -> true'],
  },
  'Awaiting undefined is the same as awaiting a resolved promise; or only the fake itself makes and reads its answers.':
    {
      'testing/fakes/scripted-passkey-verifier.ts': ['() => Promise.resolve() -> () => undefined'],
      'testing/fakes/scripted-identity-provider.ts': [
        '/^state=([^&]+)&subject=([^&]+)$/ -> /state=([^&]+)&subject=([^&]+)$/',
        '\'script\' -> ""',
      ],
    },
  'A comparison with undefined is false; or a user without a name, which exists only in containers.': {
    'server/backup/backup-folder.ts': ['at !== undefined -> true'],
    'server/doctor/device-access.ts': [
      '{ // In a container, the number of a user may have no name. return `user ${process.getuid?.()}`; } -> {}',
    ],
  },
  'Without a listener readline closes, which gives the same refusal.': {
    'server/command-line/access/read-password.ts': ['\'SIGINT\' -> ""'],
  },
  'A default is never wrong, so no message names its source; or checks of settings throw only one code.': {
    'server/config/find-setting.ts': ['values: [setting.default].flat(), where: «`--${flag}`» -> ``'],
    'server/config/config.ts': ["!isTallybookError(error, 'INVALID_OPTION') -> false"],
  },
  'A text that is no URL has no parts; or every line except the last one has no counts: reading them fails, and then there are no counts.':
    {
      'server/backup/backup-folder.ts': ["record.kind === 'end' -> true"],
    },
  'Commander gives the same result for a single word; or the wording of an error, in a place that the plugin does not recognise.':
    {
      'server/command-line/command-line.ts': ['named.length > 1 -> named.length >= 1'],
      'server/http/key-pair.ts': ['\'is no certificate for TLS\' -> ""'],
    },
  'A repeated scan was not begun, so there is nothing to measure.': {
    'server/metrics/measure.ts': [
      'if (event.kind === «\'repeated\'») return; const -> ""',
      "if («event.kind === 'repeated'») return; const -> false",
    ],
  },
  'A failing gauge is left out, like a gauge without a value.': {
    'server/metrics/gauge-state.ts': ['(await readUpstream())?.waiting -> (await readUpstream()).waiting'],
  },
  'A limit of memory: data that is forgotten a moment later is counted anew anyway. Or a separate key, which may be every other text.':
    {
      'server/log/metered-log.ts': ['nowMs - sinceMs < MINUTE_MS -> nowMs - sinceMs <= MINUTE_MS'],
      'server/log/backlog-log.ts': ['\'backlog full\' -> ""'],
      'server/log/upstream-log.ts': ['\'reached\' -> ""', '\'refused\' -> ""'],
    },
  'Browsers ignore the title of an entry of the history.': {
    'web/routing.ts': ['replaceState(null, «\'\'», -> "Stryker was here!"'],
    'web/state/access.ts': ['replaceState(null, «\'\'», -> "Stryker was here!"'],
  },
  'Every text that is no place, no date or no zone is right; and the expression matches at the beginning, because it also matches the empty text.':
    {
      'web/routing.ts': ['/^#?\\/?/ -> /#?\\/?/'],
      'web/state/access.ts': ['getItem(PLACE) ?? «\'\'» -> "Stryker was here!"'],
      'web/state/days.ts': [
        'dayOfIso(from ?? «\'\'» -> "Stryker was here!"',
        'to ?? from ?? «\'\'» -> "Stryker was here!"',
      ],
    },
  'If two tags of a person have a tap in the same second, the person was at both readers.': {
    'web/state/presence.ts': [
      '(tag.last ?? 0) > (person.last ?? 0) -> (tag.last ?? 0) >= (person.last ?? 0)',
    ],
  },
  'Scans that are known lie between first and last, so that those cannot differ; a position of nobody, a run without a name and a revision of any other text are nobody’s.':
    {
      'store-postgres/database/record-days.ts': [
        'one.first === other.first && one.last === other.last && one.count === other.count -> one.first === other.first && one.last === other.last || one.count === other.count',
      ],
      'store-postgres/database/writer/group-commit.ts': ['told: 0, positions: «[]» -> ["Stryker was here"]'],
      'store-postgres/stores/postgres-station-store.ts': ['before?.runs ?? «[]» -> ["Stryker was here"]'],
      'store-postgres/stores/postgres-access-store.ts': ['changed > 1 ? «`${after}.${index}`» -> ``'],
    },
};
