import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { publishersOf, SECRET, WebhookService, type Payload } from '../fixtures/processes/webhook-service.js';

const ada = '04A2B3C4D5';

describe('tallybook serve, with a webhook', () => {
  const service = new WebhookService();

  it('posts a tap, shows the state of the publisher, and shows its secret to nobody', async () => {
    const server = service.start();
    const url = await server.url();
    server.tap(ada);
    const { body, headers } = await service.receiver.tookTag(ada);
    expect((new Webhook(SECRET).verify(body, headers) as Payload).data.id).to.equal(ada);
    service.receiver.behaviour = (_request, response) => response.writeHead(500).end();
    server.tap('AB12CD34');
    await server.says(/the webhook at localhost:\d+ answers 500/);
    expect(JSON.stringify(await publishersOf(url)))
      .to.match(/"name":"office","connection":"waiting","waiting":1,.*answers 500/)
      .and.not.include(SECRET);
    expect(server.text).not.to.include(SECRET);
  });
});
