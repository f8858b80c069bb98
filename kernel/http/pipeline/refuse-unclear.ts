import { demandPlainRequest } from '../request-line.ts'
import type { Middleware } from './state.ts'

/** Refuses a request that leaves open what it is for. */
export const refuseUnclear: Middleware = (koa, next) => {
  demandPlainRequest(koa.req, koa.state.request.path)
  return next()
}
