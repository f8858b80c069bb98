import { prefersAsync, type Principal } from '#kernel'

/** Who asks, in which language, and how the answer is wanted. */
export interface Asked {
  readonly principal: Principal
  readonly locale: string
  /** Of the request, under which it is found in logs. */
  readonly traceId?: string
  /** Only where the work can be followed, not what came of it. */
  readonly isAsync?: boolean
}

interface Request {
  readonly principal: Principal
  readonly state: { readonly locale: string; readonly traceId: string }
}

/** Who asks, of a request. */
export function asked({ principal, state: { locale, traceId } }: Request): Asked {
  return { principal, locale, traceId }
}

/** The same, of a request that may want to follow the work instead of waiting for its end. */
export function askedAsync(ctx: Request & { header(name: string): string | undefined }): Asked {
  return { ...asked(ctx), isAsync: prefersAsync(ctx) }
}
