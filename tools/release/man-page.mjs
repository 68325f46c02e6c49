// Writes the man page of the command from the settings and commands of the built program.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../packages/packing.mjs';

const server = join(root, 'packages/server');

/** @returns The page in the language of man, for an installation by the package for Debian. */
export async function manPage({ version, time, homepage }) {
  const { settings } = await import(join(server, 'dist/index.js'));
  const date = new Date(time * 1000).toISOString().slice(0, 10);
  return `.TH TALLYBOOK 1 "${date}" "Tallybook ${version}" "User Commands"
.ad l
.nh
.SH NAME
tallybook \\- attendance service for small devices
.SH SYNOPSIS
.B tallybook
.I command
.RI [ options ]
.SH DESCRIPTION
People tap a tag on a reader. Tallybook records durably who was there on which day, and shows it live on a page.
The service runs as the user tallybook. As root, a command runs as that user too, with the settings of the service and on its store.
.SH COMMANDS
.RB \\(oq "tallybook \\fIcommand\\fP \\-\\-help" \\(cq
lists the options of a command.
${(await readCommands()).map(({ usage, help }) => item(usage, escape(help))).join('')}.SH SETTINGS
A setting is an option of
.BR "tallybook serve" ,
an environment variable, or a line of the settings file, where it has the name of the option without the dashes. An option wins over a variable, and a variable over the file.
${Object.values(settings).map(settingItem).join('')}.SH FILES
${item('/etc/tallybook/tallybook.toml', 'The settings of the service. After a change: systemctl restart tallybook')}${item('/etc/tallybook/env', 'Variables of the service and of its commands: lines NAME=value, without a backslash.')}${item('/var/lib/tallybook', 'The attendance record, names and users. Back it up with a setting or on the page, not by copying the folder while the service runs.')}.SH EXIT STATUS
0 success, 1 failure, 2 wrong settings or usage, 3 damaged store.
.SH SEE ALSO
.BR journalctl (1),
.BR systemctl (1).
The pages that this page names are in the documentation: ${escape(homepage)}
`;
}

/** All commands, with those of a group, in the order of the help. */
async function readCommands() {
  const { Command } = createRequire(join(server, 'package.json'))('commander');
  const place = join(server, 'dist/command-line');
  const { CommandRun } = await import(join(place, 'command-run.js'));
  const { defineServe } = await import(join(place, 'definitions/serve-definition.js'));
  const { defineOthers } = await import(join(place, 'definitions/other-definitions.js'));
  const program = new Command('tallybook');
  const run = new CommandRun('tallybook');
  defineServe(program, run);
  defineOthers(program, run);
  return program.commands.flatMap((command) =>
    command.commands.length === 0
      ? [describe(command.name(), command)]
      : command.commands.map((each) => describe(`${command.name()} ${each.name()}`, each)),
  );
}

function describe(name, command) {
  return { usage: `${name} ${command.usage()}`, help: command.description() };
}

function settingItem({ flag, value, variable, default: byDefault, help, allowed }) {
  const preset = [byDefault].flat().join(', ');
  const sentences = [
    // What it needs is in the allowed values too.
    help.replace(/; needs --.*$/, '') + '.',
    `Allowed: ${allowed.replace(/\.?$/, '.')}`,
    `Default: ${preset === '' ? 'none' : preset}.`,
    `Variable: ${variable}.`,
  ];
  return item(`--${flag} ${value}`, escape(withoutMarkdown(sentences.join('\n'))));
}

function item(term, text) {
  return `.TP\n.B ${escape(term)}\n${text}\n`;
}

/** The text without the parts that only a page of the reference can use, such as links. */
function withoutMarkdown(text) {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/[`*]{1,2}/g, '');
}

function escape(text) {
  return (
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      // A URL may be broken before each parameter, because some are wider than a terminal.
      .replaceAll(/[?&](?=[\w\\-]+=)/g, '\\:$&')
      .replaceAll(/^(?=['.])/gm, '\\&')
  );
}
