import { expect } from '../checks.mjs';

const PEOPLE = 5_000;
/** In MB of 10^6 bytes, as the guide promises. */
const GOAL_MB = 110;

export async function checkMemory({ machine, service, check }) {
  await check(`the command line imports ${PEOPLE} people while the service runs`, async () => {
    await machine.run(
      `awk 'BEGIN { print "tag,first name,last name"; for (n = 1; n <= ${PEOPLE}; n++) printf "0400AA%06X,First%d,Last%d\\n", n, n, n }' > /tmp/people.csv`,
    );
    const printed = await machine.run('tallybook import-names /tmp/people.csv', {
      withinMs: 300_000 * machine.patience,
    });
    return printed.split('\n').at(-1);
  });
  await check(`with ${PEOPLE} people it needs at most ${GOAL_MB} MB`, async () => {
    const imported = await memoryOf(machine);
    await machine.run('systemctl restart tallybook');
    await service.untilReady();
    const started = await memoryOf(machine);
    for (const path of ['/', '/api/mapping', '/api/people', '/api/today', '/api/groups'])
      await service.request('GET', path);
    const { text: names } = await service.request('GET', '/api/mappings');
    expect(names.match(/0400AA/g)?.length, PEOPLE);
    for (let count = 0; count < 100; count++) await service.send(service.nextTag());
    const used = await memoryOf(machine);
    const shown = `after the import ${show(imported)}; after a restart ${show(started)}; after the page and 100 taps ${show(used)}`;
    if (Math.max(started.resident, used.resident) > GOAL_MB) throw new Error(shown);
    return shown;
  });
}

async function memoryOf(machine) {
  const [resident, group] = (
    await machine.run(`
      awk '/^VmRSS/ { print $2 * 1024 }' /proc/$(systemctl show --property=MainPID --value tallybook)/status
      cat /sys/fs/cgroup/system.slice/tallybook.service/memory.current`)
  )
    .split('\n')
    .map((bytes) => Math.round(Number(bytes) / 1e6));
  return { resident, group };
}

function show({ resident, group }) {
  return `${resident} MB (its control group ${group} MB)`;
}
