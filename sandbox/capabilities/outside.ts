import type { Base64, Json } from './json.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** A request to one of the hosts that the manifest lists and the administrator granted. */
interface HttpRequest {
  readonly url: string
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** At most 32 headers and 8 KB. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[]>>
  readonly body?: Json | Base64
  /** 10,000 unless said otherwise, 30,000 at most; never later than the call's own deadline. */
  readonly timeoutMs?: number
  /** How the body is handed over: `json` unless said otherwise. */
  readonly as?: 'json' | 'text' | 'base64'
}

/** What the other side answered; a status of 400 and above is an answer too, not an error. */
interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** At most 5 MB after decoding; a longer one fails the request instead of being cut. */
  readonly body: Json
  readonly truncated: false
}

/** Outgoing requests; redirects are answers and are not followed. 20 in a call, 60 a minute in a tenant. */
interface Http {
  /** Fails with `forbidden` for a host, port or method that was not granted, `upstream` when the other side does not answer. */
  fetch(request: HttpRequest): Promise<HttpResponse>
}

/** What of `ctx` leads outside. */
export interface OutsideCtx {
  /** Needs the capability `http`. */
  readonly http: Http
}

/** A request that the plugin sent to a host it was granted. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** How a host answers in a test: a JSON value with 200, or as it says. */
export type FakeAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: Json }
  | ((request: SentRequest) => FakeAnswer)

/** How the outside answers in a test. */
export interface OutsideGiven {
  /** `GET https://api.example.com/rates` → its answer; a request to anything else fails with `upstream`. The query does not count. */
  readonly http?: Readonly<Record<string, FakeAnswer>>
}

/** What went outside in a test. */
export interface OutsideSeen {
  /** What it sent so far, oldest first. */
  readonly sent: readonly SentRequest[]
}

/** The member of `ctx` that leads outside. */
export const outsideCtx: CtxMembers<OutsideCtx> = {
  http: {
    by: ['http', 'http:any'],
    open: (send) => ({ fetch: (request) => send('http.fetch', request) }),
    isElsewhere: true,
  },
}

/** What a plugin may reach outside. */
export const outside = {
  http: {
    section: { field: 'http', isPresent: ({ http }) => (http?.hosts.length ?? 0) > 0, isNeeded: true },
    detail: ({ http }) => ({ hosts: http?.hosts ?? [] }),
    // The fetch of the web goes the same way.
    used: /\bhttp\b|(?<![.\w])fetch\b/,
    called: /\bhttp!?\??\.fetch\s*\(|(?<![.\w])fetch\s*\(/,
  },
  'http:any': { widens: 'http' },
} as const satisfies Readonly<Record<string, CapabilityRow>>
