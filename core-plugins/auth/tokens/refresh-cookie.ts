import type { RouteContext } from '#kernel'

type Headers = Readonly<Record<string, string>>
/** What of a request tells about its cookie. */
type CookieContext = Pick<RouteContext, 'header'>
type CookieScope = 'platform' | 'tenant'

// Nothing sends this header across origins without asking first, so no other site can have a cookie used.
const demanded = 'console'

/** Keeps refresh tokens in a cookie that no script reads, for pages that ask for it. It proves nothing anywhere else. */
export class RefreshCookie {
  readonly #isPlain: boolean

  constructor(publicUrl: string) {
    this.#isPlain = publicUrl.startsWith('http:')
  }

  /** The refresh token of a page of ours; undefined without the header that only our pages send. */
  read(ctx: CookieContext, scope: CookieScope): string | undefined {
    return this.isAsked(ctx) ? this.#find(ctx, scope) : undefined
  }

  /** Whether a page of ours sent the request. */
  isAsked(ctx: CookieContext): boolean {
    return ctx.header('x-requested-with') === demanded
  }

  /** Whether there is a cookie, whoever sent it. */
  isThere(ctx: CookieContext, scope: CookieScope): boolean {
    return this.#find(ctx, scope) !== undefined
  }

  /** The header that hands a refresh token out for so many seconds. */
  give(ctx: CookieContext, scope: CookieScope, token: string, seconds: number): Headers {
    return this.#header(ctx, scope, token, seconds)
  }

  /** The header that takes it away. */
  clear(ctx: CookieContext, scope: CookieScope): Headers {
    return this.#header(ctx, scope, '', 0)
  }

  #header(ctx: CookieContext, scope: CookieScope, value: string, seconds: number): Headers {
    const secure = this.#isOnPlainLocalhost(ctx) ? '' : ' Secure;'
    return {
      'set-cookie': `${this.#name(ctx, scope)}=${value}; Max-Age=${seconds}; Path=/; HttpOnly;${secure} SameSite=Strict`,
    }
  }

  #find(ctx: CookieContext, scope: CookieScope): string | undefined {
    const start = `${this.#name(ctx, scope)}=`
    const pairs = (ctx.header('cookie') ?? '').split(';').map((pair) => pair.trim())
    return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) || undefined
  }

  /** One for each scope: an administrator who signs in to a tenant as well stays signed in to the platform. */
  #name(ctx: CookieContext, scope: CookieScope): string {
    return `${this.#isOnPlainLocalhost(ctx) ? 'rt' : '__Host-rt'}${scope === 'platform' ? '-admin' : ''}`
  }

  /** Browsers keep `__Host-` cookies of encrypted connections only, and a developer's localhost has none. */
  #isOnPlainLocalhost(ctx: CookieContext): boolean {
    const host = (ctx.header('host') ?? '').toLowerCase().replace(/:\d+$/, '')
    return this.#isPlain && (/(^|\.)localhost$/.test(host) || host === '127.0.0.1' || host === '[::1]')
  }
}
