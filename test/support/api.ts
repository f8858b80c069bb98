import { request, type Dispatcher } from 'undici'

/** What a call sends beside its path. */
export interface CallOptions {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The Host header, to speak to a tenant's domain. */
  readonly host?: string
  /** A multipart body with one file. */
  readonly file?: { readonly field: string; readonly name: string; readonly content: Buffer }
  readonly signal?: AbortSignal
}

/** What came back; a JSON body is parsed. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  // The body of a test's answer is looked at field by field; a wrong guess fails the comparison.
  readonly body: Body
}

/** A JSON value a test may walk into without asking at each step. */
export interface Body {
  readonly [key: string]: Body
}

/** Speaks to one host over HTTP, the only way tests look at a platform. */
export class Api {
  readonly url: string
  readonly token: string | undefined

  constructor(url: string, token?: string) {
    this.url = url
    this.token = token
  }

  /** The same host with a token of somebody's. */
  as(token: unknown): Api {
    return new Api(this.url, String(token))
  }

  /** The same caller at another host. */
  at(url: string): Api {
    return new Api(url, this.token)
  }

  get = (path: string, options?: CallOptions): Promise<Answer> => this.call('GET', path, options)
  post = (path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    this.call('POST', path, { body, ...options })
  put = (path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    this.call('PUT', path, { body, ...options })
  patch = (path: string, body?: unknown, options?: CallOptions): Promise<Answer> =>
    this.call('PATCH', path, { body, ...options })
  delete = (path: string, options?: CallOptions): Promise<Answer> => this.call('DELETE', path, options)

  /** One request and its answer. */
  async call(method: Dispatcher.HttpMethod, path: string, options: CallOptions = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...options.headers }
    const token = options.token ?? this.token
    if (token) headers['authorization'] ??= `Bearer ${token}`
    if (options.host) headers['host'] = options.host
    const body = encodeBody(options, headers)
    const answer = await request(this.url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(options.signal && { signal: options.signal }),
    })
    const text = await answer.body.text()
    const isJson = text !== '' && /json/.test(String(answer.headers['content-type']))
    return { status: answer.statusCode, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as Body }
  }
}

function encodeBody({ body, file }: CallOptions, headers: Record<string, string>): string | Buffer | undefined {
  if (file) {
    const boundary = `----stoa${Date.now()}`
    headers['content-type'] = `multipart/form-data; boundary=${boundary}`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${file.field}"; filename="${file.name}"\r\nContent-Type: application/zip\r\n\r\n`
    return Buffer.concat([Buffer.from(head), file.content, Buffer.from(`\r\n--${boundary}--\r\n`)])
  }
  if (body === undefined) return undefined
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  headers['content-type'] ??= 'application/json'
  return JSON.stringify(body)
}
