import { defineService } from '../service.ts'
import type { Route } from './route.ts'

/** What answers in the place of a route that is not there; where its handler has nothing to say, what is said of any such path is. */
export interface StandIn {
  /** The same object each time, so that it is made ready once. */
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  /** Whoever it does not admit is told what strangers are: that there is nothing. */
  readonly isSecret?: boolean
  /** Whoever its route does not admit does not learn either which paths and methods there are beside it. */
  readonly isClosed?: boolean
}

/** Knows of routes that should be there and are not yet: their callers are told to come again, and not that there is nothing. */
export interface AbsentRoutes {
  find(path: string): StandIn | undefined
}

/** Provided by whoever manages plugins. */
export const absentRoutes = defineService<AbsentRoutes>('kernel.absent_routes')
