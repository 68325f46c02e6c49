import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { Receiver } from '../../../publisher-webhook/test/fixtures/receiver.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const SECRET = `whsec_${Buffer.alloc(32, 'server').toString('base64')}`;
const ada = '04A2B3C4D5';

interface Payload {
  readonly data: { readonly id: string };
}

describe('tallybook serve, with a webhook', () => {
  const folder = temporaryFolder();
  const running: TallybookProcess[] = [];
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await Receiver.create();
    await writeFile(folder.path('secret'), `${SECRET}\n`, { mode: 0o600 });
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((process) => process.kill()));
    await receiver.dispose();
  });

  function serve(): TallybookProcess {
    const publisher = `${receiver.url}?secret-file=${folder.path('secret')}&name=office`;
    const store = `level:${folder.path('store')}`;
    const args = ['serve', '--port', '0', '--store', store, '--repeat-window', '0', '--publish', publisher];
    const process = new TallybookProcess(...args);
    running.push(process);
    return process;
  }

  async function publishersOf(url: string): Promise<readonly { readonly waiting: number }[]> {
    const answer = await fetch(`${url}/api/status`);
    const { publishers } = (await answer.json()) as {
      readonly publishers: readonly { readonly waiting: number }[];
    };
    return publishers;
  }

  it('posts a tap, shows the state of the publisher, and shows its secret to nobody', async () => {
    const server = serve();
    const url = await server.url();
    server.tap(ada);
    const { body, headers } = await receiver.tookTag(ada);
    expect((new Webhook(SECRET).verify(body, headers) as Payload).data.id).to.equal(ada);
    receiver.behaviour = (_request, response) => response.writeHead(500).end();
    server.tap('AB12CD34');
    await server.says(/the webhook at localhost:\d+ answers 500/);
    expect(JSON.stringify(await publishersOf(url)))
      .to.match(/"name":"office","connection":"waiting","waiting":1,.*answers 500/)
      .and.not.include(SECRET);
    expect(server.text).not.to.include(SECRET);
  });
});
