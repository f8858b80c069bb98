import { acceptVersion } from '../api-version.ts'
import type { Middleware } from './state.ts'

/** Refuses a version of the interface that does not exist. */
export const acceptVersions: Middleware = (koa, next) => {
  acceptVersion(koa.state.request)
  return next()
}
