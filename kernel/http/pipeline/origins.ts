import type { ServiceTable } from '../../service.ts'
import { allowOrigin } from '../cors.ts'
import type { Middleware } from './state.ts'

/** Lets pages of allowed origins read what follows. */
export function allowOrigins(services: ServiceTable): Middleware {
  return (koa, next) => {
    const { request } = koa.state
    if (koa.req.headers.origin === undefined) return next()
    return allowOrigin(request, services).then(next)
  }
}
