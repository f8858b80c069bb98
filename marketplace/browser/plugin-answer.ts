import type { TestAnswer } from '#sandbox'

/** An answer as it goes out. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** What went well, as the platform wraps it. */
export function dataAnswer(data: unknown): HttpAnswer {
  return toJson(200, { code: 0, message: 'ok', data })
}

/** There is nothing at an address. */
export function absentAnswer(): HttpAnswer {
  return toJson(404, { code: 4044, message: 'There is no such route', reason: 'route_not_found', trace_id: '' })
}

/** What a route of the plugin answered, as its caller gets it; with what was thrown, as where authors work on plugins. */
export function pluginAnswer({ status, code, data, headers, error, stack }: TestAnswer): HttpAnswer {
  if (error) {
    const details = { ...(error.details as object | undefined), ...(stack === undefined ? {} : { stack }) }
    return toJson(status, { code, ...error, details, trace_id: headers['x-trace-id'] ?? '' }, headers)
  }
  if (headers['location'] !== undefined) return { status, headers, body: '' }
  if (headers['content-type'] === undefined) return toJson(status, { code: 0, message: 'ok', data }, headers)
  return {
    status,
    headers,
    body: isBytes(data) ? Buffer.from(data.base64, 'base64') : typeof data === 'string' ? data : JSON.stringify(data),
  }
}

function toJson(status: number, body: object, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function isBytes(data: unknown): data is { readonly base64: string } {
  return typeof data === 'object' && data !== null && 'base64' in data && typeof data.base64 === 'string'
}
