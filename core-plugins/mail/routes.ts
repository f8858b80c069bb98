import { defineRoute, type Route } from '#kernel'
import { testBody, testResult } from './schemas.ts'
import type { TestService } from './service.ts'

/** What an administrator tries the drivers with. */
export function mailRoutes(tests: TestService): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/mail/test',
      summary: 'Send a test message at once; a driver that fails is an answer, not an error',
      auth: 'platform',
      permission: 'platform_config:update',
      limit: { policy: 'mail_test', requests: 5, seconds: 60, by: 'user' },
      idempotent: false,
      schema: { body: testBody, response: testResult },
      handler({ body, principal: actor, state: { locale, traceId }, signal }) {
        return tests.send({ ...body, actor, locale, traceId }, signal)
      },
    }),
  ]
}
