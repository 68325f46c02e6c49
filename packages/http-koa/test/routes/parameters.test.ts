import { isOptional, operations, schemaOf, type Fields, type Operation } from '@tallybook/http-contract';
import { expect } from 'chai';
import { useService } from '../fixtures/running-service.js';

/** Texts that are no value of a format of the contract. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  timestamp: ['', '-1', 'x', '18446744073709551616'],
  day: ['', '-1', 'x', '4294967296'],
  tag: ['', '04A2', 'tag'],
  spelling: ['', 'dez10'],
  keep: ['', 'ever', '24'],
};

const valid: Readonly<Record<string, string>> = { from: '0', to: '1', id: '04A2B3C4D5', timestamp: '0' };

/** Wrong texts for a field, and what is said of them. */
function wrongFor(field: Fields[string]): readonly [texts: readonly string[], reason: string] {
  const { format, minimum, maximum, enum: choices, ...rest } = schemaOf(field);
  if (format === 'digits' || format === 'seconds') {
    const texts = ['', 'x', '1.5', '-1', String(Number(minimum) - 1), String(Number(maximum) + 1)];
    return [texts, `must be a number(?: of seconds)? from ${String(minimum)} to ${String(maximum)}; got "`];
  }
  if (typeof format === 'string') return [wrong[format] ?? [], ''];
  if (typeof rest['maxLength'] === 'number')
    return [['', 'x'.repeat(rest['maxLength'] + 1)], 'must have \\d+ to \\d+ characters; got "'];
  if (choices === undefined && !('const' in rest)) return [[], ''];
  return [['', 'x', 'constructor'], 'must be ".*" if it is given; got "'];
}

/** Those that this service answers for everybody: a station needs a token. */
const open = Object.entries(operations as Readonly<Record<string, Operation>>).filter(
  ([address, { query }]) => query !== undefined && !address.includes('/api/sync'),
);

describe('A parameter of the query', () => {
  const service = useService();

  for (const [address, { query = {} }] of open) {
    const [method = '', path = ''] = address.split(' ');
    const required = Object.entries(query).filter(([, field]) => !isOptional(field));

    /** The reason of the refusal of a request with the required parameters, but another text for one of them. */
    const refused = async (name: string, ...texts: readonly string[]): Promise<string> => {
      const others = required.flatMap(([other]) => (other === name ? [] : [[other, valid[other] ?? 'x']]));
      const sent = new URLSearchParams([...others, ...texts.map((text) => [name, text])] as [
        string,
        string,
      ][]);
      const { status, text } = await service.request(`${path}?${sent.toString()}`, { method });
      expect(status, `${name}=${texts.join()}: ${text}`).to.equal(400);
      return text;
    };

    it(`is refused by its name if it is wrong, missing or given twice: ${address}`, async () => {
      for (const [name, field] of Object.entries(query)) {
        const [text = 'x'] = [valid[name]];
        expect(await refused(name, text, text)).to.equal(`${name}: must be given once; got 2 values`);
        const [texts, reason] = wrongFor(field);
        for (const each of texts)
          expect(await refused(name, each)).to.match(new RegExp(`^${name}: ${reason}`));
        if (!isOptional(field)) expect(await refused(name)).to.match(new RegExp(`^${name}: `));
      }
      expect(service.reports).to.deep.equal([]);
    });
  }
});
