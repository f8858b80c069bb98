import Koa from 'koa'
import type { AppParts } from '../app-parts.ts'
import type { ServerState } from '../server-state.ts'
import { dispatch } from './dispatch.ts'
import { answerFailures } from './failures.ts'
import { allowOrigins } from './origins.ts'
import { refuseUnclear } from './refuse-unclear.ts'
import type { PipelineState } from './state.ts'
import { trace } from './trace.ts'
import { acceptVersions } from './versions.ts'

/** The way of every request, from the socket to its route. */
export function createPipeline(parts: AppParts, server: ServerState): Koa<PipelineState> {
  const app = new Koa<PipelineState>()
  app.use(trace(parts, server))
  app.use(answerFailures(parts))
  app.use(refuseUnclear)
  app.use(allowOrigins(parts.services))
  app.use(acceptVersions)
  app.use(dispatch(parts))
  app.on('error', (error: unknown) => parts.log.debug({ err: error }, 'a connection failed'))
  return app
}
