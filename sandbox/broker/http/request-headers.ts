import { badArgument } from '../refusal.ts'

const maxHeaders = 32
const nameForm = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/
/** Visible characters, spaces and tabs: no line break ever. */
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/
/** What belongs to the connection, to the client, or to a browser; a plugin could smuggle a request or lie about its origin. */
const reserved = new Set([
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'keep-alive', 'expect'],
  ...['http2-settings', 'accept-encoding', 'cookie', 'cookie2', 'forwarded', 'via', 'x-real-ip', 'origin', 'referer'],
  // What a cloud's metadata service takes for the machine's own word.
  ...['metadata', 'metadata-flavor', 'x-google-metadata-request', 'x-metadata-token', 'x-tencent-metadata-token'],
  'x-identity-header',
])
const reservedPrefixes = ['proxy-', 'sec-', 'x-forwarded-', 'x-aws-ec2-metadata-', 'x-aliyun-ecs-metadata-']

/** The headers a guest asked for, in small letters; throws for one that it may not set. */
export function checkRequestHeaders(value: unknown, maxBytes: number): Record<string, string> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw badArgument('headers must be an object')
  const entries = Object.entries(value).map(([name, text]): [string, string] => checkHeader(name.toLowerCase(), text))
  if (entries.length > maxHeaders) throw badArgument(`At most ${maxHeaders} headers can be sent`)
  const bytes = entries.reduce((sum, [name, text]) => sum + name.length + text.length + 4, 0)
  if (bytes > maxBytes) throw badArgument(`The headers are larger than ${maxBytes} bytes`)
  return Object.fromEntries(entries)
}

function checkHeader(name: string, value: unknown): [string, string] {
  if (!nameForm.test(name)) throw badArgument('A header name has characters that no header has')
  if (reserved.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix))) {
    throw badArgument(`The header ${name} cannot be set`)
  }
  if (typeof value !== 'string' || !valueForm.test(value)) throw badArgument(`The value of ${name} cannot be sent`)
  return [name, value]
}
