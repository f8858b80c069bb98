import { defineRoute, type Route } from '#kernel'
import type { UserDirectory } from '../contract.ts'
import { userBody } from '../schemas.ts'
import { profileChange, securityBody, securityChange, securityState } from './schemas.ts'
import type { SecurityService } from './security-service.ts'

/** What users do with their own account here; passwords and sessions are the business of auth. */
export function accountRoutes(users: UserDirectory, security: SecurityService): readonly Route[] {
  return [
    defineRoute({
      method: 'patch',
      path: '/tenant/users/profile',
      auth: 'tenant',
      summary: 'Change the own profile',
      permission: 'user_profile:update',
      schema: { body: profileChange, response: userBody },
      errors: [4036],
      async handler({ principal: { tenantId, userId }, body }) {
        const { nickname, avatar_url: avatarUrl, avatar_attachment_id: avatarAttachmentId } = body
        return users.present(await users.updateProfile(tenantId, userId, { nickname, avatarUrl, avatarAttachmentId }))
      },
    }),
    ...securityRoutes(security, 'tenant', '/tenant/users/security'),
    ...securityRoutes(security, 'platform', '/admin/users/security'),
  ]
}

function securityRoutes(security: SecurityService, auth: 'tenant' | 'platform', path: string): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path,
      auth,
      summary: 'Read how the own sign-in is kept safe',
      whileRestricted: ['second_factor_required'],
      schema: { response: securityState },
      handler: ({ principal }) => security.describe(principal),
    }),
    defineRoute({
      method: 'patch',
      path,
      auth,
      summary: 'Change the second factor and the safety of the own sign-in',
      whileRestricted: ['second_factor_required'],
      inPerson: true,
      limit: { policy: 'security', requests: 30, seconds: 300, by: 'user' },
      schema: { body: securityChange, response: securityBody },
      errors: [4002, 4006, 4018],
      handler(ctx) {
        const { two_factor_enabled: twoFactorEnabled, totp_code: code, login_security: rules } = ctx.body
        const loginSecurity = rules && {
          notifyNewDevice: rules.notify_new_device,
          allowedIps: rules.allowed_ips,
          sessionMaxDevices: rules.session_max_devices,
        }
        return security.change({ twoFactorEnabled, code, loginSecurity }, ctx)
      },
    }),
  ]
}
