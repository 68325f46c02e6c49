import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { roles } from '@tallybook/domain/access';
import type { OwnerClient } from '../../control/owner-client.js';
import {
  addToken,
  allStations,
  forgetStation,
  listPasskeys,
  listStations,
  listTokens,
  removePasskey,
  revokeToken,
} from '../access/access-commands.js';
import { readPassword } from '../access/read-password.js';
import { readSetupCode, requireStarted } from '../access/setup-code-command.js';
import {
  addUser,
  listUsers,
  removeUser,
  setLink,
  setPassword,
  setRole,
  type GroupsFlag,
  type LinkFlag,
} from '../access/user-commands.js';
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
  readonly groups?: readonly string[];
}

/** Work with the service. Resolves with lines for people. */
type Work = (client: OwnerClient) => Promise<string | readonly string[]>;
/** Does work with the service that has the store of the flags open, and tells its lines. */
type Tell = (flags: Flags, work: Work, makesStore?: boolean) => Promise<void>;

/** Adds `user`, `token`, `passkey`, `stations` and `setup-code` to the command line. */
export function defineAccessCommands(program: Command, run: CommandRun): void {
  const tell: Tell = async (flags, work, makesStore = false) => {
    for (const line of [await withOwner(storeOf(flags, run), { makesStore }, work)].flat()) run.tell(line);
  };
  defineUsers(program, tell);
  defineTokens(program, run, tell);
  definePasskeys(program, tell);
  defineStations(program, tell);
  addStoreOptions(program.command('setup-code'))
    .description('show the setup code for the first user of a running service')
    .action(async (flags: Flags) => {
      const store = storeOf(flags, run);
      await requireStarted(store);
      run.tell(
        await withOwner(store, { makesStore: false }, (client, isRunning) =>
          readSetupCode(store, client, isRunning),
        ),
      );
    });
}

function defineUsers(program: Command, tell: Tell): void {
  const user = program.command('user').description('users, who may sign in');
  const fromInput = (): Option =>
    new Option('--password-stdin', 'take the password from standard input instead of asking for it');

  addStoreOptions(user.command('add'))
    .description('add a user; the first one must be an admin')
    .argument('<name>')
    .addOption(roleOption())
    .addOption(groupsOption())
    .addOption(fromInput())
    .option('--no-password', 'for a user who signs in by a proxy only')
    .option(
      '--provider [subject]',
      'for a user who signs in at the identity provider with this subject; without one: the first person with this name',
    )
    .action(async (name: string, flags: Flags & PasswordFlags & AddFlags) => {
      // Done before the store is opened, so that others need not wait while somebody types.
      const { role, groups, provider: link } = flags;
      const hasPassword = link === undefined ? flags.password : flags.passwordStdin === true;
      const password = hasPassword ? await readPassword(name, flags.passwordStdin === true) : undefined;
      await tell(flags, (client) => addUser(client, name, { role, groups, password, link }), true);
    });
  addStoreOptions(user.command('list'))
    .description('list users with their roles')
    .action((flags: Flags) => tell(flags, listUsers));
  addStoreOptions(user.command('role'))
    .description('change the role of a user')
    .argument('<name>')
    .addArgument(new Argument('<role>').choices(roles))
    .addOption(groupsOption())
    .option('--no-groups', 'the user is no longer bound to groups')
    .action((name: string, role: string, flags: Flags & { readonly groups?: GroupsFlag }) =>
      tell(flags, (client) => setRole(client, name, role, flags.groups)),
    );
  addStoreOptions(user.command('password'))
    .description('give a user a new password')
    .argument('<name>')
    .addOption(fromInput())
    .option('--end-tokens', 'end the tokens that the user made too, except those of devices')
    .action(async (name: string, flags: Flags & PasswordFlags) => {
      const password = await readPassword(name, flags.passwordStdin === true);
      await tell(flags, (client) => setPassword(client, name, password, flags.endTokens === true));
    });
  addStoreOptions(user.command('provider'))
    .description('link a user to the identity provider, or end the link')
    .argument('<name>')
    .argument('[subject]', 'id of the person at the provider; without it, the first person with this name')
    .option('--remove', 'end the link')
    .action((name: string, subject: string | undefined, flags: Flags & { readonly remove?: true }) =>
      tell(flags, (client) => setLink(client, name, flags.remove === true ? false : (subject ?? true))),
    );
  addStoreOptions(user.command('remove'))
    .description('remove a user, with all sessions and tokens')
    .argument('<name>')
    .action((name: string, flags: Flags) => tell(flags, (client) => removeUser(client, name)));
}

function defineTokens(program: Command, run: CommandRun, tell: Tell): void {
  const token = program.command('token').description('tokens of programs and devices');

  addStoreOptions(token.command('add'))
    .description('make a token, and print its secret, which is shown only once')
    .argument('<label>', 'what it is for')
    .addOption(roleOption())
    .addOption(new Option('--days <n>', 'days until it ends (default: never)').argParser(parseDays))
    .action((label: string, flags: Flags & { readonly role: string; readonly days?: number }) =>
      tell(flags, async (client) => {
        const { id, token: secret } = await addToken(client, { label, role: flags.role, days: flags.days });
        run.remark(`token ${id} of ${label}; keep the secret, it is shown only now:`);
        return secret;
      }),
    );
  addStoreOptions(token.command('list'))
    .description('list tokens, with the day of the last use')
    .action((flags: Flags) => tell(flags, listTokens));
  addStoreOptions(token.command('revoke'))
    .description('end a token')
    .argument('<id>')
    .action((id: string, flags: Flags) => tell(flags, (client) => revokeToken(client, id)));
}

function definePasskeys(program: Command, tell: Tell): void {
  const passkey = program.command('passkey').description('passkeys, which users add on the page');

  addStoreOptions(passkey.command('list'))
    .description('list passkeys with users, hosts and the day of the last use')
    .action((flags: Flags) => tell(flags, listPasskeys));
  addStoreOptions(passkey.command('remove'))
    .description('remove a passkey, and sign its user out')
    .argument('<id>')
    .action((id: string, flags: Flags) => tell(flags, (client) => removePasskey(client, id)));
}

function defineStations(program: Command, tell: Tell): void {
  const stations = program.command('stations').description('devices that send their record to this service');

  addStoreOptions(stations.command('list', { isDefault: true }))
    .description('list them: last contact, waiting changes, refusals')
    .option('--json', 'print JSON, for programs')
    .action(({ json, ...flags }: Flags & { readonly json?: true }) =>
      tell(flags, async (client) =>
        json === true ? JSON.stringify(await allStations(client)) : listStations(client),
      ),
    );
  addStoreOptions(stations.command('forget'))
    .description('remove one from the list; its record stays')
    .argument('<name>')
    .action((name: string, flags: Flags) => tell(flags, (client) => forgetStation(client, name)));
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the user or token may do').choices(roles).makeOptionMandatory();
}

function groupsOption(): Option {
  return new Option(
    '--groups <names...>',
    'the groups that a viewer or desk is bound to, who then sees and changes only the persons in these',
  );
}

function parseDays(text: string): number {
  const days = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  if (days >= 1) return days;
  throw new InvalidArgumentError('a whole number of days, at least 1');
}
