import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { roles } from '@tallybook/domain/access';
import { PasskeyCommands } from '../access/passkey-commands.js';
import { readPassword } from '../access/read-password.js';
import { readSetupCode } from '../access/setup-code-command.js';
import { StationCommands } from '../access/station-commands.js';
import { TokenCommands } from '../access/token-commands.js';
import { UserCommands, type LinkFlag } from '../access/user-commands.js';
import { withOwner } from '../access/with-owner.js';
import type { CommandRun } from '../command-run.js';
import { addStoreOptions, storeOf, type Flags } from '../setting-options.js';

interface PasswordFlags {
  readonly passwordStdin?: true;
  /** `false` for a user who signs in in another way. */
  readonly password: boolean;
  readonly endTokens?: true;
}

/** Flags of a new user. */
interface AddFlags {
  readonly role: string;
  readonly provider?: LinkFlag;
}

/** Adds `user`, `token`, `passkey`, `stations` and `setup-code` to the command line. */
export function defineAccessCommands(program: Command, run: CommandRun): void {
  defineUsers(program, run);
  defineTokens(program, run);
  definePasskeys(program, run);
  defineStations(program, run);
  addStoreOptions(program.command('setup-code'))
    .description('show the setup code for the first user of a running service')
    .action(async (flags: Flags) => {
      const store = await storeOf(flags);
      run.tell(
        await withOwner(store, { makesStore: false }, (client, isRunning) =>
          readSetupCode(store, client, isRunning),
        ),
      );
    });
}

function defineUsers(program: Command, run: CommandRun): void {
  const user = program.command('user').description('users, who may sign in');
  const withUsers = async <T>(
    flags: Flags,
    work: (users: UserCommands) => Promise<T>,
    makesStore = false,
  ): Promise<T> =>
    withOwner(await storeOf(flags), { makesStore }, (client) => work(new UserCommands(client)));
  const fromInput = (): Option =>
    new Option('--password-stdin', 'take the password from standard input instead of asking for it');

  addStoreOptions(user.command('add'))
    .description('add a user; the first one must be an admin')
    .argument('<name>')
    .addOption(roleOption())
    .addOption(fromInput())
    .option('--no-password', 'for a user who signs in by a proxy only')
    .option(
      '--provider [subject]',
      'for a user who signs in at the identity provider with this subject; without one: the first person with this name',
    )
    .action(async (name: string, flags: Flags & PasswordFlags & AddFlags) => {
      // Done before the store is opened, so that others need not wait while somebody types.
      const { role, provider } = flags;
      const hasPassword = provider === undefined ? flags.password : flags.passwordStdin === true;
      const password = hasPassword ? await readPassword(name, flags.passwordStdin === true) : undefined;
      run.tell(await withUsers(flags, (users) => users.add(name, role, password, provider), true));
    });
  addStoreOptions(user.command('list'))
    .description('list users with their roles')
    .action(async (flags: Flags) => {
      for (const line of await withUsers(flags, (users) => users.list())) run.tell(line);
    });
  addStoreOptions(user.command('role'))
    .description('change the role of a user')
    .argument('<name>')
    .addArgument(new Argument('<role>').choices(roles))
    .action(async (name: string, role: string, flags: Flags) => {
      run.tell(await withUsers(flags, (users) => users.setRole(name, role)));
    });
  addStoreOptions(user.command('password'))
    .description('give a user a new password')
    .argument('<name>')
    .addOption(fromInput())
    .option('--end-tokens', 'end the tokens that the user made too, except those of devices')
    .action(async (name: string, flags: Flags & PasswordFlags) => {
      const password = await readPassword(name, flags.passwordStdin === true);
      const endTokens = flags.endTokens === true;
      run.tell(await withUsers(flags, (users) => users.setPassword(name, password, endTokens)));
    });
  addStoreOptions(user.command('provider'))
    .description('link a user to the identity provider, or end the link')
    .argument('<name>')
    .argument('[subject]', 'id of the person at the provider; without it, the first person with this name')
    .option('--remove', 'end the link')
    .action(async (name: string, subject: string | undefined, flags: Flags & { readonly remove?: true }) => {
      const link = flags.remove === true ? false : (subject ?? true);
      run.tell(await withUsers(flags, (users) => users.setLink(name, link)));
    });
  addStoreOptions(user.command('remove'))
    .description('remove a user, with all sessions and tokens')
    .argument('<name>')
    .action(async (name: string, flags: Flags) => {
      run.tell(await withUsers(flags, (users) => users.remove(name)));
    });
}

function defineTokens(program: Command, run: CommandRun): void {
  const token = program.command('token').description('tokens of programs and devices');
  const withTokens = async <T>(flags: Flags, work: (tokens: TokenCommands) => Promise<T>): Promise<T> =>
    withOwner(await storeOf(flags), { makesStore: false }, (client) => work(new TokenCommands(client)));

  addStoreOptions(token.command('add'))
    .description('make a token, and print its secret, which is shown only once')
    .argument('<label>', 'what it is for')
    .addOption(roleOption())
    .addOption(new Option('--days <n>', 'days until it ends (default: never)').argParser(parseDays))
    .action(async (label: string, flags: Flags & { readonly role: string; readonly days?: number }) => {
      const { id, token: secret } = await withTokens(flags, (tokens) =>
        tokens.add(label, flags.role, flags.days),
      );
      run.remark(`token ${id} of ${label}; keep the secret, it is shown only now:`);
      run.tell(secret);
    });
  addStoreOptions(token.command('list'))
    .description('list tokens, with the day of the last use')
    .action(async (flags: Flags) => {
      for (const line of await withTokens(flags, (tokens) => tokens.list())) run.tell(line);
    });
  addStoreOptions(token.command('revoke'))
    .description('end a token')
    .argument('<id>')
    .action(async (id: string, flags: Flags) => {
      run.tell(await withTokens(flags, (tokens) => tokens.revoke(id)));
    });
}

function definePasskeys(program: Command, run: CommandRun): void {
  const passkey = program.command('passkey').description('passkeys, which users add on the page');
  const withPasskeys = async <T>(flags: Flags, work: (commands: PasskeyCommands) => Promise<T>): Promise<T> =>
    withOwner(await storeOf(flags), { makesStore: false }, (client) => work(new PasskeyCommands(client)));

  addStoreOptions(passkey.command('list'))
    .description('list passkeys with users, hosts and the day of the last use')
    .action(async (flags: Flags) => {
      for (const line of await withPasskeys(flags, (commands) => commands.list())) run.tell(line);
    });
  addStoreOptions(passkey.command('remove'))
    .description('remove a passkey, and sign its user out')
    .argument('<id>')
    .action(async (id: string, flags: Flags) => {
      run.tell(await withPasskeys(flags, (commands) => commands.remove(id)));
    });
}

function defineStations(program: Command, run: CommandRun): void {
  const stations = program.command('stations').description('devices that send their record to this service');
  const withStations = async <T>(flags: Flags, work: (commands: StationCommands) => Promise<T>): Promise<T> =>
    withOwner(await storeOf(flags), { makesStore: false }, (client) => work(new StationCommands(client)));

  addStoreOptions(stations.command('list', { isDefault: true }))
    .description('list them: last contact, waiting changes, refusals')
    .option('--json', 'print JSON, for programs')
    .action(async ({ json, ...flags }: Flags & { readonly json?: true }) => {
      const lines = await withStations(flags, async (commands) =>
        json === true ? [JSON.stringify(await commands.all())] : commands.list(),
      );
      for (const line of lines) run.tell(line);
    });
  addStoreOptions(stations.command('forget'))
    .description('remove one from the list; its record stays')
    .argument('<name>')
    .action(async (name: string, flags: Flags) => {
      run.tell(await withStations(flags, (commands) => commands.forget(name)));
    });
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the user or token may do').choices(roles).makeOptionMandatory();
}

function parseDays(text: string): number {
  const days = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (days >= 1) return days;
  throw new InvalidArgumentError('a whole number of days, at least 1');
}
