import type { Failure, Fault } from './call.ts'

/** Whom a failed call is laid to. */
export function faultOf({ kind, fault }: Pick<Failure, 'kind' | 'fault'>): Fault {
  return fault ?? (kind === 'killed' ? 'host' : 'guest')
}
