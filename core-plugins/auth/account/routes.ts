import { defineRoute, type Route } from '#kernel'
import type { AuthArea } from '../areas.ts'
import type { TokenReplies } from '../sign-in/token-replies.ts'
import { requestOrigin } from '../request-origin.ts'
import { passwordBody, profile, signIn } from '../schemas.ts'
import type { AccountService } from './account-service.ts'

/** Tells callers about themselves. */
export function profileRoute(account: AccountService, { path, auth }: AuthArea): Route {
  return defineRoute({
    method: 'get',
    path: `${path}/me`,
    auth,
    whileRestricted: ['password_change_required', 'second_factor_required'],
    summary: 'The caller, with roles, permissions and features',
    schema: { response: profile },
    handler: ({ principal, state }) => account.describe(principal, state.tenant),
  })
}

/** Changes the own password. */
export function passwordRoute(
  { account, replies }: { readonly account: AccountService; readonly replies: TokenReplies },
  { auth }: AuthArea,
  at: { readonly method: 'put' | 'post'; readonly path: string },
): Route {
  return defineRoute({
    ...at,
    auth,
    whileRestricted: ['password_change_required', 'second_factor_required'],
    inPerson: true,
    idempotent: false,
    summary: 'Change the own password and end every other session',
    schema: { body: passwordBody, response: signIn },
    errors: [4007, 4223, 4292],
    async handler(ctx) {
      const passwords = { old: ctx.body.old_password, new: ctx.body.new_password }
      const changed = await account.changePassword(
        ctx.principal,
        ctx.state.tenant ?? null,
        passwords,
        requestOrigin(ctx),
      )
      return replies.signIn(ctx, changed)
    },
  })
}
