import { data, jsonText, raw, redirect, type Reply } from '#kernel'
import { base64Of } from '../broker/argument.ts'
import { PluginResponseInvalidError } from '../errors.ts'
import { isTooDeep } from '../json-depth.ts'
import { authorError } from '../wire/outcome-error.ts'
import { checkResponseHeaders, isJsonType } from './response-headers.ts'

/** An answer with a status or headers of its own. */
interface GuestResponse {
  readonly status?: unknown
  readonly headers?: unknown
  readonly body?: unknown
  readonly reason?: unknown
  readonly message?: unknown
  readonly details?: unknown
}

const success: ReadonlySet<unknown> = new Set([200, 201, 202, 204])
const redirects: ReadonlySet<unknown> = new Set([301, 302])
const knownParts: ReadonlySet<string> = new Set(['status', 'headers', 'body'])
const errorParts: ReadonlySet<string> = new Set([...knownParts, 'reason', 'message', 'details'])
const marks = /"(?:status|headers|body)"/

/** What a handler returned, as an answer of the platform; errors are thrown. Plain data is passed on without being parsed. */
export function toReply(plugin: string, text: string, isPublic: boolean): Reply {
  const response = readResponse(text)
  if (!response) return jsonText(text)
  const { status = 200, body = null } = response
  if (typeof status === 'number' && status >= 400) throw returnedError(plugin, status, response)
  const { 'content-type': contentType, location, ...headers } = checkResponseHeaders(response.headers, isPublic)
  if (redirects.has(status)) {
    if (location === undefined) throw invalid('A redirect needs a location')
    return redirect(location, { status: status as number, headers })
  }
  if (!success.has(status)) throw invalid(`There is no answer with the status ${JSON.stringify(status)}`)
  const options = { status: status as number, headers: location === undefined ? headers : { ...headers, location } }
  if (status === 204) return data(null, options)
  const base64 = base64Of(body)
  if (contentType === undefined && base64 !== undefined) return raw(decode(base64), 'application/octet-stream', options)
  if (contentType === undefined || isJsonType(contentType)) return data(body, options)
  if (base64 !== undefined) return raw(decode(base64), contentType, options)
  if (typeof body === 'string') return raw(body, contentType, options)
  throw invalid(`A body of the type ${contentType} is a text or { base64 }`)
}

/** An object of nothing but status, headers and body is an answer; everything else is plain data. */
function readResponse(text: string): GuestResponse | undefined {
  if (!text.startsWith('{') || !marks.test(text)) return undefined
  // What is passed on unread may be of any depth; this is written again.
  if (isTooDeep(text)) throw invalid('The answer is nested too deeply')
  const value = JSON.parse(text) as GuestResponse
  const names = Object.keys(value)
  if (names.length === 0 || (value.status !== undefined && typeof value.status !== 'number')) return undefined
  const parts = typeof value.status === 'number' && value.status >= 400 ? errorParts : knownParts
  return names.every((name) => parts.has(name)) ? value : undefined
}

function returnedError(plugin: string, status: number, response: GuestResponse): Error {
  const { body } = response
  const said = typeof body === 'object' && body !== null ? { ...response, ...body } : response
  const message = typeof body === 'string' ? body : said.message
  return authorError(plugin, {
    status,
    message: typeof message === 'string' ? message : '',
    details: said.details,
    ...(typeof said.reason === 'string' ? { reason: said.reason } : {}),
  })
}

function decode(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}

function invalid(why: string): Error {
  return new PluginResponseInvalidError({ cause: why })
}
