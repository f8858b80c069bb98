import { textOf, uploaded } from '../../support/attachments.ts'
import { configure, issueSession } from '../../support/auth.ts'
import { testPassword } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import type { Cause } from './wire-world.ts'

const users = ['owner/user', 'user/user']
const own = ['owner/tenant']
const staff = ['admin/admin']

/** What users and administrators do. */
export const causes: readonly Cause[] = [
  [
    'preference.global_changed',
    users,
    (world) => world.acme.owner.put('/tenant/preferences/global', { theme: 'dark' }),
  ],
  [
    'permission.changed',
    users,
    async (world) => {
      dataOf(await world.acme.owner.post('/tenant/roles', { code: 'fresh', name: 'Fresh', permissions: [] }), 201)
      return world.acme.owner.put(`/tenant/users/${world.userId}`, { roles: ['tenant_user', 'fresh'] })
    },
  ],
  ['attachment.ready', ['owner/user'], (world) => uploaded(world.acme.owner, 'a.txt', Buffer.from('hello'))],
  [
    'notification.created',
    ['admin/user'],
    (world) => configure(world.platform.admin, 'admin', 'platform_mail', { smtp_host: 'mail.acme.test' }),
  ],
  ['notification.read', ['admin/user'], (world) => world.platform.admin.post('/notifications/read-all')],
  ['conversation.updated', ['owner/user'], (world) => world.chat()],
  ['message.created', ['owner/user'], (world) => world.chat()],
  [
    'conversation.deleted',
    ['owner/user'],
    async (world) => {
      const { conversation_id: id } = dataOf(await world.chat())
      return world.acme.owner.delete(`/ai/agent-chat/conversations/${textOf(id)}`)
    },
  ],
  [
    'config.updated',
    staff,
    (world) => configure(world.platform.admin, 'admin', 'platform_basic', { site_name: 'Site' }),
  ],
  [
    'config.updated',
    own,
    (world) => configure(world.acme.owner, 'tenant', 'tenant_security', { session_timeout: 700 }),
  ],
  [
    'config.change_requested',
    [...own, ...staff],
    async (world) => {
      await configure(world.platform.admin, 'admin', 'platform_tenant_policy', { tenant_config_approval: 'all' })
      await world.acme.owner.put('/tenant/configs/groups/tenant_security', { session_timeout: 800 })
    },
  ],
  [
    'config.change_decided',
    [...own, ...staff],
    async (world) => {
      const { items } = dataOf(await world.platform.admin.get('/configs/changes'))
      const [{ id }] = items as unknown as [{ id: number }]
      dataOf(await world.platform.admin.post(`/admin/configs/changes/${id}/approve`, { reason: 'fine' }))
      await configure(world.platform.admin, 'admin', 'platform_tenant_policy', { tenant_config_approval: 'off' })
    },
  ],
  [
    'user.registered',
    own,
    async (world) => {
      const somebody = { email: 'new@acme.test', nickname: 'New', password: testPassword }
      await configure(world.acme.owner, 'tenant', 'tenant_captcha', { user_registration_captcha_enabled: false })
      await configure(world.acme.owner, 'tenant', 'tenant_login', { allow_registration: true })
      dataOf(await world.platform.test.api.post('/tenant/users/register', somebody, { host: world.acme.host }), 201)
    },
  ],
  [
    'announcement.published',
    ['owner/tenant', 'user/tenant', 'other/tenant', 'admin/admin'],
    (world) =>
      world.platform.admin.post('/admin/announcements', { title: { default: 'News' }, audience: { staff: true } }),
  ],
  [
    'announcement.published',
    ['owner/tenant', 'user/tenant'],
    (world) => world.acme.owner.post('/tenant/announcements', { title: { default: 'News' } }),
  ],
  ['tenant.created', staff, (world) => world.platform.createTenant('third')],
  ['tenant.updated', staff, (world) => world.platform.admin.put(`/admin/tenants/${world.acme.id}`, { name: 'Acme' })],
  [
    'security.refresh_reused',
    staff,
    async (world) => {
      const { refresh } = await issueSession(world.platform, world.other.id, world.other.ownerId)
      const { refresh_token: next } = dataOf(
        await world.platform.test.api.post('/auth/refresh', { refresh_token: refresh }),
      )
      await world.platform.test.api.post('/auth/refresh', { refresh_token: next })
      await world.platform.test.api.post('/auth/refresh', { refresh_token: refresh })
    },
  ],
]
