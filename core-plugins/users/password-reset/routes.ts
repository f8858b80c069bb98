import { defineRoute, type Route } from '#kernel'
import { userParams } from '../schemas.ts'
import type { PasswordResetService } from './service.ts'

const wish = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password: { type: 'string', minLength: 1, maxLength: 1024 },
    notify: { type: 'boolean' },
    reset_second_factor: { type: 'boolean' },
  },
} as const

const result = {
  type: 'object',
  additionalProperties: false,
  required: ['password_change_required'],
  properties: { password_change_required: { const: true }, password: { type: 'string' } },
} as const

const areas = [
  { auth: 'platform', path: '/admin/users/{user_id}/reset-password', permission: 'platform_user:reset_password' },
  { auth: 'tenant', path: '/tenant/users/{user_id}/reset-password', permission: 'tenant_user:reset_password' },
] as const

/** The endpoints that give users a new password, the platform's and a tenant's. */
export function passwordResetRoutes(resets: PasswordResetService): readonly Route[] {
  return areas.map(({ auth, path, permission }) =>
    defineRoute({
      method: 'post',
      path,
      auth,
      summary: 'Give a user a new password',
      permission,
      // A password that is shown once is kept nowhere, also not to be shown again.
      idempotent: false,
      schema: { params: userParams, body: wish, response: result },
      errors: [4031, 4094, 4223],
      handler(ctx) {
        const { password, notify = true, reset_second_factor: resetSecondFactor = false } = ctx.body
        return resets.reset(ctx.params.user_id, { password, notify, resetSecondFactor }, ctx)
      },
    }),
  )
}
