import type { Principal } from '#kernel'

/** Who asks, and in which language. */
export interface Asked {
  readonly principal: Principal
  readonly locale: string
}

/** Who asks, of a request. */
export function asked({ principal, state }: { principal: Principal; state: { locale: string } }): Asked {
  return { principal, locale: state.locale }
}
