import { readFile } from 'node:fs/promises'

/** A refusal of the platform that a plugin is developed on. */
export class PlatformRefusal extends Error {
  override readonly name = 'PlatformRefusal'
}

/** Speaks to a platform over HTTP as its administrator. */
export class PlatformClient {
  readonly url: string
  readonly token: string | undefined

  constructor(url: string, token?: string) {
    this.url = url.replace(/\/$/, '')
    this.token = token
  }

  /** The `data` of the answer; throws a PlatformRefusal that says what was wrong. */
  async call(method: string, path: string, body?: object | FormData): Promise<Readonly<Record<string, unknown>>> {
    const isForm = body instanceof FormData
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const { cause = error } = error as Error
      throw new PlatformRefusal(`${this.url} does not answer: ${(cause as Error).message}`)
    })
    const said = (await answer.json().catch(() => ({}))) as Readonly<Record<string, unknown>>
    if (answer.ok) return (said['data'] ?? {}) as Readonly<Record<string, unknown>>
    throw new PlatformRefusal(`${method} ${path}: ${answer.status} ${describe(said)}`)
  }

  /** Sends a package. */
  async send(path: string, zip: Uint8Array<ArrayBuffer>): Promise<Readonly<Record<string, unknown>>> {
    const form = new FormData()
    form.set('file', new Blob([zip], { type: 'application/zip' }), 'pkg.zip')
    return this.call('POST', path, form)
  }

  /** The same platform as somebody else. */
  async signIn(path: string, credentials: object): Promise<PlatformClient> {
    const { access_token: token } = await this.call('POST', path, credentials)
    return new PlatformClient(this.url, String(token))
  }
}

/** Reads a token from a file or, when there is none of that name, takes the text itself. */
export async function readToken(text: string): Promise<string> {
  return (await readFile(text, 'utf8').catch(() => text)).trim()
}

function describe({ code, message, errors }: Readonly<Record<string, unknown>>): string {
  const faults = Array.isArray(errors) ? (errors as { field: string; message: string }[]) : []
  return [`${String(code)} ${String(message)}`, ...faults.map(({ field, message }) => `  ${field}: ${message}`)].join(
    '\n',
  )
}
