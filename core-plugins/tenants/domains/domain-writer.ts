import type { Principal, RequestState } from '#kernel'

/** Who changes a domain, for the log. */
export interface DomainWriter {
  readonly principal: Principal
  readonly state: Pick<RequestState, 'traceId'>
}
