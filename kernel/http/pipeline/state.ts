import type Koa from 'koa'
import type { RequestContext } from '../request-context.ts'

/** What the middlewares hand on. */
export interface PipelineState {
  request: RequestContext
}

/** A step on the way of a request. */
export type Middleware = Koa.Middleware<PipelineState>
