/**
 * Mutants that no test notices, looked at one by one, and why that is right. A change is written as the report prints it:
 * what stands in the source, an arrow, what stood there instead.
 */
export const explained = [
  {
    why: 'On the bound both sides of the choice are equal, so it does not matter which one is taken.',
    'domain/attendance-day.ts': [
      'at < entry.first -> at <= entry.first',
      'at > entry.last -> at >= entry.last',
      'other.first < entry.first -> other.first <= entry.first',
      'other.last > entry.last -> other.last >= entry.last',
    ],
    'domain/provisional.ts': ['until > notBefore -> until >= notBefore', 'shown <= latest -> shown < latest'],
    'domain/timekeeper.ts': ['at > this.#latestScan -> at >= this.#latestScan'],
  },
  {
    why: 'What stands here has no effect on the way on: a function that returns nothing, or a state that is only not the others.',
    'store-level/open-level.ts': ['{ return undefined; } -> {}'],
    'store-level/table-file.ts': ['{ return undefined; } -> {}'],
    'store-level/salvage.ts': ['{ return undefined; } -> {}', '\'older\' -> ""'],
    'devices/device-file.ts': ['{ return undefined; } -> {}'],
    'devices/tied-command.ts': ['{ return false; } -> {}'],
  },
  {
    why: 'The groups of the expression match together or not at all.',
    'secrets-system/scrypt-text.ts': [
      '[] -> ["Stryker was here"]',
      'salt === undefined || hash === undefined -> salt === undefined && hash === undefined',
      'salt === undefined -> false',
    ],
  },
  {
    why: 'Base64 has = at its end only, and what is undefined is no hash in text either.',
    'secrets-system/scrypt-text.ts': ['/=+$/ -> /=+/'],
    'secrets-system/system-secrets.ts': ['hash === undefined -> false'],
  },
  {
    why: 'Nobody has the random hash that stands in for that of no user.',
    'secrets-system/system-secrets.ts': ['known === undefined -> false'],
  },
  {
    why: 'The case was dealt with the line before.',
    'domain/lifecycle.ts': ['failures.length > 1 -> failures.length >= 1'],
    'domain/mapping.ts': ['a < b -> a <= b'],
  },
  {
    why: 'Asked for the compiler only: what follows refuses the same values, or reads nothing from them.',
    'domain/day.ts': ["typeof value === 'number' -> true"],
    'domain/timestamp.ts': ["typeof value === 'number' -> true"],
    'domain/backup.ts': ["typeof value === 'number' -> true", "typeof count !== 'number' -> false"],
    'domain/attendance-service.ts': ["found.status === 'fulfilled' -> true"],
    'domain/backup-service.ts': [
      'day === undefined || entries === undefined -> day === undefined && entries === undefined',
      'day === undefined -> false',
      'entries === undefined -> false',
      'provisional !== undefined -> true',
    ],
    'domain/stores-snapshot-source.ts': ['() => Promise.resolve() -> () => undefined'],
    'store-level/inspect-files.ts': ['[] -> ["Stryker was here"]', '\'\' -> "Stryker was here!"'],
    'store-level/level-handle.ts': ['this.#level === undefined -> false'],
    'store-level/mend-day.ts': [
      'entries.get(id)?.first -> entries.get(id).first',
      'entries.get(id)?.last -> entries.get(id).last',
    ],
    'store-level/open-level.ts': ['sealed === undefined -> false', 'row === undefined -> false'],
    'store-level/read-provisional.ts': ["!isTallybookError(error, 'STORE_CORRUPT') -> false"],
    'store-level/row-kinds.ts': ['-1 -> +1', 'kind?.check -> kind.check'],
    'store-level/salvage.ts': ['value !== undefined -> true'],
    'store-level/log-file.ts': ['fragment?.end -> fragment.end', 'fragment?.type -> fragment.type'],
    'store-level/table-file.ts': ['block?.includes -> block.includes'],
  },
  {
    why: 'What follows refuses the same bytes: the sum is no number, the end is not where it should be, or nothing can be read.',
    'store-level/numbers.ts': ['byte === undefined -> false'],
    'store-level/snappy.ts': ['filled + length > size -> false', 'filled + length -> filled - length'],
    'store-level/table-file.ts': [
      'offset < 0 || offset + bytes > this.#size -> false',
      'offset < 0 || offset + bytes > this.#size -> offset < 0 && offset + bytes > this.#size',
      'offset < 0 -> false',
      'offset + bytes > this.#size -> false',
      'offset + bytes -> offset - bytes',
      'bytesRead < bytes -> false',
    ],
  },
  {
    why: 'A buffer keeps only the lowest eight bits of what is written into it.',
    'store-level/numbers.ts': ['(rest % 0x80) + 0x80 -> rest % 0x80 - 0x80'],
  },
  {
    why: 'One byte of work more or less: no group of rows begins or ends there.',
    'store-level/log-file.ts': ['offset < bytes.length -> offset <= bytes.length'],
    'store-level/table-file.ts': [
      'gap < GAP_BYTES_MAX -> gap <= GAP_BYTES_MAX',
      'offset < bytes.length -> offset <= bytes.length',
    ],
  },
  {
    why: 'Never looked at: it is what a name of its own is made of, and only has to differ from the others.',
    'store-level/level-day-store.ts': ['\'days\' -> ""'],
    'store-level/level-mapping-store.ts': ['\'mapping\' -> ""'],
  },
  {
    why: 'Only whether a revision is the same as before counts, or every so many, so counting down does as well.',
    'store-level/row-check.ts': ['++blocks -> --blocks'],
    'store-level/revisions.ts': [
      '(this.#changes.get(subject) ?? 0) + 1 -> (this.#changes.get(subject) ?? 0) - 1',
    ],
  },
  {
    why: 'A value for the time before start() or open(), or the first line or row, which set it before anybody reads it.',
    'store-level/salvage.ts': ['\'settled\' -> ""', '[] -> ["Stryker was here"]'],
    'domain/provisional-scans.ts': ['false -> true'],
    'server/log/attendance-log.ts': ['[] -> ["Stryker was here"]'],
    'domain/backup-reader.ts': ['false -> true'],
  },
  {
    why: 'A shortcut: the long way comes to the same.',
    'domain/calendar.ts': ["this.zone === 'UTC' -> false"],
    'domain/repeat-window.ts': ['this.#windowMs === 0 -> false'],
    'store-level/level-provisional-store.ts': ['true -> false'],
    'store-level/log-file.ts': [
      'first !== undefined && rest.length === 0 -> false',
      'first !== undefined -> true',
      'first !== undefined -> first === undefined',
    ],
    'store-level/open-level.ts': ['damages.length === 0 -> false'],
    'store-level/row-check.ts': ['damages.length > 0 -> false'],
  },
  {
    why: 'Two copies of one state of a row, in a log and in the table that was made of it: either one will do.',
    'store-level/salvage.ts': [
      'compare(cursor.head, first.head) < 0 -> compare(cursor.head, first.head) <= 0',
    ],
  },
  {
    why: 'Nobody can be made to do it in between: another process between two looks, or the power between two calls.',
    'store-level/open-level.ts': ['await isUnfinished(directory) -> true'],
    'store-level/acknowledged-commits.ts': ['readAcknowledgedCommits(directory) === undefined -> true'],
  },
  {
    why: 'What begins with a drive that is not there; where there are no drives, the top of all folders is.',
    'store-level/store-directory.ts': ['dirname(path) === path -> false'],
  },
  {
    why: 'A bound on what something costs: what comes of it is the same on both sides.',
    'store-level/group-commit.ts': [
      'keys > GROUP_KEYS_MAX -> keys >= GROUP_KEYS_MAX',
      'wanted.length <= KEYS_AT_ONCE -> true',
      'wanted.length <= KEYS_AT_ONCE -> wanted.length < KEYS_AT_ONCE',
    ],
  },
  {
    why: 'LevelDB itself refuses to read from a snapshot that is closed; this says why.',
    'store-level/level-snapshot-source.ts': [
      'level !== this.#level -> false',
      "{ throw new Error('the store was opened anew since the snapshot was taken'); } -> {}",
    ],
  },
  {
    why: 'A key more that is looked up, or an error more that is no damage and so is not noted.',
    'store-level/level-day-store.ts': ['[] -> ["Stryker was here"]'],
    'store-level/level-provisional-store.ts': ['[] -> ["Stryker was here"]'],
  },
  {
    why: 'The name is of ASCII only, which is the same in every encoding that it could be read in.',
    'store-level/inspect-files.ts': ['\'latin1\' -> ""'],
  },
  {
    why: 'What is skipped then has no time, and a comparison with no time is false.',
    'domain/attendance-service.ts': ['[] -> ["Stryker was here"]'],
    'store-level/day-rows.ts': ['[] -> ["Stryker was here"]'],
  },
  {
    why: 'Costs memory: the promises of taps that are done stay in a set. The soak of reliability/ measures that.',
    'domain/attendance-service.ts': ['() => this.#inFlight.delete(recording) -> () => undefined'],
  },
  {
    why: 'The wording of an error, where it is not seen to be one.',
    'domain/backup.ts': ['\'\' -> "Stryker was here!"'],
  },
  {
    why: 'Asked for the compiler only, or the same comes of it: a comparison with no number is false.',
    'clock-system/system-clock.ts': ['this.#leadMs !== undefined -> true'],
    'indicators/gpio/lamp-lines.ts': ["end.how === 'exited' -> true"],
  },
  {
    why: 'Asked for the compiler only: nothing else is thrown, and a text that is split has a last piece.',
    'devices/device-url.ts': ['!isTallybookError(cause) -> false'],
    'devices/program.ts': ['\'\' -> "Stryker was here!"'],
  },
  {
    why: 'A folder of a name that no folder has is searched instead of the one that the process works in.',
    'devices/tied-command.ts': ['\'\' -> "Stryker was here!"'],
  },
  {
    why: 'It is what the library or Node takes where nothing is said.',
    'devices/mqtt/create-client.ts': ['\'mqtt\' -> ""'],
    'devices/program.ts': ["{ stdio: 'pipe' } -> {}", '\'pipe\' -> ""'],
  },
  {
    why: 'Only the time differs that a message takes on the way, by some milliseconds.',
    'devices/mqtt/mqtt-connection.ts': ['client.stream instanceof Socket -> false'],
  },
  {
    why: 'Messages of quality 0 have no id, and nobody looks for one that has none.',
    'devices/mqtt/mqtt-connection.ts': ['qos !== 0 -> true'],
  },
  {
    why: 'The h stands behind the last digit, and what is read ends there anyway.',
    'readers/mqtt/tasmota-payload.ts': ['/h$/ -> /h/'],
  },
  {
    why: 'No digits are zero too.',
    'devices/parse-duration.ts': ['\'0\' -> ""'],
  },
  {
    why: 'Where a machine has no id, any text that is always the same does. The machines of the tests have one.',
    'devices/mqtt/default-client-id.ts': ['\'\' -> "Stryker was here!"'],
  },
  {
    why: 'What it writes is caught instead of thrown away, and nobody reads it.',
    'devices/tied-command.ts': ["{ stdio: 'ignore' } -> {}", '\'ignore\' -> ""'],
  },
  {
    why: 'Tests run where systemd does not run the system, so the folder is missing under any name. A device has it.',
    'clock-system/ask-timedatectl.ts': ['\'/run/systemd/system\' -> ""'],
  },
  {
    why: 'It is set before it is read: when the indicator is opened.',
    'indicators/gpio/gpio-indicator.ts': ['false -> true'],
    'indicators/mqtt/mqtt-indicator.ts': ['false -> true'],
  },
  {
    why: 'A key of its own kind: any text that is no lamp does.',
    'indicators/gpio/pattern-player.ts': ['\'gap\' -> ""'],
  },
  {
    why: 'A promise and nothing come to the same for who awaits it.',
    'store-memory/memory-day-store.ts': ['{ return Promise.resolve(); } -> {}'],
    'store-memory/memory-mapping-store.ts': ['{ return Promise.resolve(); } -> {}'],
    'store-memory/memory-provisional-store.ts': ['{ return Promise.resolve(); } -> {}'],
    'store-memory/memory-snapshot-source.ts': ['() => Promise.resolve() -> () => undefined'],
  },
  {
    why: 'A revision only has to be another one than before.',
    'store-memory/memory-day-store.ts': [
      '(this.#dayRevisions.get(day) ?? 0) + 1 -> (this.#dayRevisions.get(day) ?? 0) - 1',
    ],
  },
  {
    why: 'A contract asks with several values of a kind. One less finds the same sabotaged fakes, and fakes that only it would find are not kept.',
    'testing/contracts/names/mapping-store.ts': [
      '\'👩🏽‍🚒\' -> ""',
      '\'\\u{10FFFD}\' -> ""',
      '\'é\' -> ""',
      'n < 30 -> n <= 30',
    ],
  },
  {
    why: 'Asked for the compiler only: where there is none the case has failed before, or is left out.',
    'testing/contracts/record/day-store.ts': [
      '(await store.load(toDay(0)))?.entries -> (await store.load(toDay(0))).entries',
      '(await store.load(day))?.entries -> (await store.load(day)).entries',
    ],
    'testing/contracts/devices/id-source.ts': ['subject.plug?.() -> subject.plug()'],
    'testing/contracts/record/snapshot-source.ts': ['provisional?.add -> provisional.add'],
  },
  {
    why: 'What a case says when it fails; that it fails is what counts.',
    'testing/contracts/record/day-store.ts': ["`a revision came twice: ${revisions.join(', ')}` -> ``"],
    'testing/contracts/record/provisional-store.ts': ["`these do not ascend: ${sequences.join(', ')}` -> ``"],
  },
  {
    why: 'Asked for the compiler only: a text that does not match has no parts, a table row with attempts has all its columns.',
    'server/backup/backup-folder.ts': ['[] -> ["Stryker was here"]'],
    'server/command-line/doctor/read-chip-labels.ts': [
      '[] -> ["Stryker was here"]',
      'name !== undefined && label !== undefined -> name !== undefined || label !== undefined',
    ],
    'server/command-line/doctor/device-survey.ts': ['label !== undefined -> true'],
    'server/http/silent-peers.ts': ['\'\' -> "Stryker was here!"'],
  },
  {
    why: 'No service has that name, and a circle is looked for from a name on.',
    'server/wiring/module-of.ts': ['[] -> ["Stryker was here"]'],
  },
  {
    why: 'On the bound both do: of two that are stalled alike either is in the way, and a piece is one text longer.',
    'http-koa/answers/deliveries.ts': ['stalled < longest -> stalled <= longest'],
    'http-koa/routes/ranges/table-source.ts': ['text.length < PIECE_LENGTH -> text.length <= PIECE_LENGTH'],
  },
  {
    why: 'The tags of this service have no W/ within.',
    'http-koa/answers/entity-tags.ts': ['/^W\\// -> /W\\//'],
  },
  {
    why: 'Between giving up and being forgotten nobody else has a turn.',
    'http-koa/answers/render-job.ts': ['{ return this.#isGivenUp; } -> {}'],
    'http-koa/answers/renderings.ts': ['this.#current.get(key) === job -> true'],
  },
  {
    why: 'An estimate of memory, for which large answers are refused only when several thousand of them are under way.',
    'http-koa/routes/names/routes-unnamed.ts': ['tags.length * TAG_BYTES -> tags.length / TAG_BYTES'],
    'http-koa/routes/days/routes-days.ts': ['found.length * DAY_BYTES -> found.length / DAY_BYTES'],
  },
  {
    why: 'The same is matched from the first character on, or nothing is that is not a cursor.',
    'client/events/event-parser.ts': [
      '/^([^:]*):? ?(.*)$/s -> /([^:]*):? ?(.*)$/s',
      '\'\' -> "Stryker was here!"',
    ],
    'client/events/event-connection.ts': [
      'before !== undefined && lastEventId !== undefined -> true',
      'before !== undefined && lastEventId !== undefined -> before !== undefined || lastEventId !== undefined',
    ],
    'client/requests/transport.ts': ['{ isOver: false } -> {}'],
    'client/requests/download.ts': ['\'\' -> "Stryker was here!"'],
  },
  {
    why: 'An option that is undefined is the same as none.',
    'server/backup/write-backup.ts': ['signal === undefined -> false'],
  },
  {
    why: 'Asked for the compiler only: a text that does not match has no parts, and without an attestation the library throws or verifies.',
    'identity-oidc/ticket.ts': ['[] -> ["Stryker was here"]'],
    'passkeys-webauthn/webauthn-passkey-verifier.ts': ['registrationInfo === undefined -> false'],
  },
  {
    why: 'Nothing is written where nothing is to be, and groups are one larger.',
    'domain/sync/station/apply-items.ts': ['welcome.length === 0 -> false'],
    'domain/sync/station/download.ts': ['group.length < GROUP_SIZE -> group.length <= GROUP_SIZE'],
  },
  {
    why: 'Asked for the compiler only: a group has items, and there is an end where entries are read up to it.',
    'domain/sync/station/upload.ts': ['part.at(-1)?.cursor -> part.at(-1).cursor'],
    'domain/audit/verify-audit.ts': ['end?.number -> end.number'],
  },
  {
    why: 'The wording of an error.',
    'domain/sync/items/parse-items.ts': ['\'the count of an entry\' -> ""'],
  },
];
