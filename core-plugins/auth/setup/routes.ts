import { defineRoute, type Route } from '#kernel'
import type { Sessions } from '../contract.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'
import { requestOrigin } from '../request-origin.ts'
import { setupBody, signIn } from '../schemas.ts'
import type { SetupService } from './setup-service.ts'

/** Uses a set-up link. */
export function setupRoute(setup: SetupService, sessions: Sessions, replies: TokenReplies): Route {
  return defineRoute({
    method: 'post',
    path: '/api/public/setup',
    auth: 'none',
    summary: 'Make the holder of the set-up link the first administrator',
    limit: { policy: 'setup', requests: 10, seconds: 60, by: 'ip' },
    answers: [201],
    schema: { body: setupBody, response: signIn },
    errors: [4013, 4094, 4223],
    async handler(ctx) {
      const { token, site_name: siteName, token_delivery: delivery = 'body', ...admin } = ctx.body
      const user = await setup.useLink(token, admin, siteName)
      const tokens = await sessions.issue(user, requestOrigin(ctx))
      return replies.signIn(ctx, { tokens, tenant: null, user }, { delivery, status: 201 })
    },
  })
}
