import type { Random } from '../../random.js';

export const CRLF = '\r\n';

/** The parts of a request as they are written, sound or not. */
export interface RequestParts {
  method: string;
  target: string;
  version: string;
  fields: string[];
  body: string;
}

export function soundRequest(random: Random, paths: readonly string[]): RequestParts {
  const hasBody = random.chance(0.3);
  const body = hasBody ? '{"id":"04A2B3C4D5","name":{"first":"Ada","last":"Lovelace"}}' : '';
  return {
    method: hasBody ? 'POST' : random.pick(['GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE']),
    target: random.pick(paths),
    version: 'HTTP/1.1',
    fields: [
      'Host: localhost',
      'Accept: */*',
      ...(hasBody ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
    ],
    body,
  };
}

export function writeRequest(parts: RequestParts): string {
  return withRequestLine(parts, `${parts.method} ${parts.target} ${parts.version}`);
}

export function withRequestLine({ fields, body }: RequestParts, requestLine: string): string {
  return [requestLine, ...fields, '', body].join(CRLF);
}
