import { defineRoute, tenantNeeds, type Route } from '#kernel'
import type { UserDirectory } from '../../users/contract.ts'
import { platformArea, userArea, type AuthArea } from '../areas.ts'
import { userBody } from '../shown-user.ts'
import { profileBody } from './schemas.ts'

/** Changes of the own profile; what may be changed is the business of `users`. */
export function ownProfileRoutes(users: UserDirectory): readonly Route[] {
  return [
    changeRoute(users, userArea, 'patch'),
    changeRoute(users, userArea, 'put'),
    changeRoute(users, platformArea, 'patch'),
    changeRoute(users, platformArea, 'put'),
  ]
}

function changeRoute(users: UserDirectory, { path, auth }: AuthArea, method: 'patch' | 'put'): Route {
  return defineRoute({
    method,
    path: `${path}/profile`,
    auth,
    admit: tenantNeeds('user_profile:update'),
    summary: 'Change the own profile; what is absent stays',
    schema: { body: profileBody, response: userBody },
    errors: [4036],
    async handler({ principal: { tenantId, userId }, body }) {
      const { nickname, avatar_url: avatarUrl, avatar_attachment_id: avatarAttachmentId, locale, timezone } = body
      const change = { nickname, avatarUrl, avatarAttachmentId, locale, timezone }
      return users.present(await users.updateProfile(tenantId, userId, change))
    },
  })
}
