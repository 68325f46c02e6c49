import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { openApiDocument } from '../src/index.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(openApiDocument, 'openapi');

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Checks that a value is what a schema of the OpenAPI document says. */
export function expectSchema(name: string, value: unknown): void {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
  expect(validate?.(value), `${name}: ${ajv.errorsText(validate?.errors)}`).to.equal(true);
}

/** The path of the document that a path of a request is of. */
export function documentedPath(path: string): string | undefined {
  return Object.keys(openApiDocument.paths).find((each) =>
    new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
}

/** Checks that an answer is one that the OpenAPI document promises. Says nothing of what is not in the document. */
export function expectDocumented(method: string, asked: string, { status, headers, text }: Answer): void {
  const verb = method.toLowerCase();
  const path = documentedPath(asked) ?? asked;
  const operation = openApiDocument.paths[path]?.[verb];
  if (operation === undefined) return;
  const documented = operation.responses[status];
  expect(documented, `${method} ${path} answered ${status}, which is not documented`).to.not.equal(undefined);
  for (const name of Object.keys(documented?.headers ?? {})) expect(headers.has(name), name).to.equal(true);
  if (text === '') return;
  const type = headers.get('content-type')?.split(';')[0] ?? '';
  expect(documented?.content, `${method} ${path} ${status}`).to.have.property(type);
  const pointer = ['paths', path, verb, 'responses', String(status), 'content', type, 'schema'];
  const validate = ajv.getSchema(`openapi#/${pointer.map((key) => key.replaceAll('/', '~1')).join('/')}`);
  const value: unknown = type.endsWith('json') ? JSON.parse(text) : text;
  expect(validate?.(value), `${method} ${path} ${status}: ${ajv.errorsText(validate?.errors)}`).to.equal(
    true,
  );
}
