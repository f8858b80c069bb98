import { created, defineRoute, deletedBody, readPage, tenantNeeds, type Localised, type Route } from '#kernel'
import {
  acknowledgedBody,
  announcedList,
  announcementBody,
  announcementPage,
  announcementParams,
  announcementQuery,
  newAnnouncement,
} from './schemas.ts'
import type { AnnouncementService } from './service.ts'

const sortable = ['-created_at']
const admit = tenantNeeds('user_notification:read')

/** Announcements, for those who make them and those who read them. */
export function announcementRoutes(announcements: AnnouncementService): readonly Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/announcements',
      summary: 'Announce something to tenants or to the platform’s staff',
      auth: 'platform',
      permission: 'platform_notification:send',
      answers: [201],
      schema: { body: newAnnouncement.platform, response: announcementBody },
      async handler(ctx) {
        const { tenants = 'all', staff = false } = ctx.body.audience ?? {}
        return created(await announcements.create(0, { ...readWritten(ctx.body), audience: { tenants, staff } }, ctx))
      },
    }),
    defineRoute({
      method: 'post',
      path: '/tenant/announcements',
      summary: 'Announce something to the users of the tenant',
      auth: 'tenant',
      permission: 'tenant_notification:send',
      answers: [201],
      schema: { body: newAnnouncement.tenant, response: announcementBody },
      async handler(ctx) {
        const { roles = [] } = ctx.body.audience ?? {}
        return created(
          await announcements.create(ctx.tenant.id, { ...readWritten(ctx.body), audience: { roles } }, ctx),
        )
      },
    }),
    ...(['admin', 'tenant'] as const).flatMap((area) => managed(area, announcements)),
    defineRoute({
      method: 'get',
      path: '/announcements',
      summary: 'List what is announced to the caller at the moment',
      admit,
      schema: { response: announcedList },
      handler: ({ principal, state }) => announcements.listFor(principal, state.locale),
    }),
    defineRoute({
      method: 'post',
      path: '/announcements/{announcement_id}/acknowledge',
      summary: 'Acknowledge an announcement',
      admit,
      schema: { params: announcementParams, response: acknowledgedBody },
      errors: [4040],
      handler: ({ principal, params }) => announcements.acknowledge(principal, params.announcement_id),
    }),
  ]
}

/** What both sides do alike with their own. */
function managed(area: 'admin' | 'tenant', announcements: AnnouncementService): readonly Route[] {
  const auth = area === 'admin' ? 'platform' : 'tenant'
  const permission = `${auth}_notification:send`
  return [
    defineRoute({
      method: 'get',
      path: `/${area}/announcements`,
      summary: 'List what was announced',
      auth,
      permission,
      schema: { query: announcementQuery, response: announcementPage },
      handler: ({ principal, query }) => announcements.page(principal.tenantId, readPage(query, sortable), query),
    }),
    defineRoute({
      method: 'delete',
      path: `/${area}/announcements/{announcement_id}`,
      summary: 'Take an announcement back',
      auth,
      permission,
      schema: { params: announcementParams, response: deletedBody },
      errors: [4040],
      async handler(ctx) {
        await announcements.delete(ctx.principal.tenantId, ctx.params.announcement_id, ctx)
        return { deleted: true }
      },
    }),
  ]
}

/** What both sides write alike. */
interface Written {
  readonly title: { readonly default: string }
  readonly body?: { readonly default: string }
  readonly level?: 'info' | 'success' | 'warning' | 'error'
  readonly starts_at?: string
  readonly expires_at?: string | null
  readonly requires_acknowledgement?: boolean
}

function readWritten({ title, body, level, ...rest }: Written) {
  const { starts_at: startsAt, expires_at: expiresAt, requires_acknowledgement: requiresAcknowledgement } = rest
  return {
    ...{ title: title as Localised, body: body as Localised | undefined, level, requiresAcknowledgement },
    startsAt: startsAt === undefined ? undefined : new Date(startsAt),
    expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
  }
}
