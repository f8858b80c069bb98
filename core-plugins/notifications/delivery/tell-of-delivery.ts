import type { TenantResolver } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { DeliveryChange, MessageChannel, MessageSender } from '../../mail/contract.ts'
import type { UserDirectory, UserRecord } from '../../users/contract.ts'
import type { Notifier } from '../contract.ts'
import { deliveryWords } from './delivery-words.ts'

/** What telling of changed delivery stands on. */
interface DeliveryTelling {
  readonly access: Access
  readonly mail: MessageSender
  readonly notifier: Notifier
  readonly tenants: TenantResolver
  readonly users: UserDirectory
}

const batch = 200
const administratorRoles = ['tenant_owner', 'tenant_admin']

/** Tells every administrator in the console, and those above all others by the way that messages took before. */
export async function tellOfDelivery(parts: DeliveryTelling, change: DeliveryChange): Promise<void> {
  const { users, notifier, mail } = parts
  const { tenantId, part } = change
  const writer = change.by ? await users.find(change.by.tenantId, change.by.userId) : undefined
  const by = nameOf(writer)
  for (const { id: userId } of await findAdministrators(parts, tenantId)) {
    const level = 'warning'
    await notifier.send({ tenantId, userId, ...deliveryWords(part, by), level, source: 'mail', isUrgent: true })
  }
  const baseUrl = part === 'link' && tenantId > 0 ? (await parts.tenants.byId(tenantId))?.baseUrl : undefined
  const domain = URL.parse(baseUrl ?? '')?.hostname ?? ''
  const template = part === 'link' ? 'links_changed' : 'delivery_changed'
  for (const user of await findHighest(parts, tenantId)) {
    const { nickname, locale } = user
    const values = { nickname, domain, writer: writer?.email ?? writer?.account ?? '', time: new Date().toISOString() }
    for (const { channel, to } of addressesOf(user, part)) {
      // Only what was changed has a way that it took before.
      const before = channel === part ? change.id : undefined
      await mail.send({ tenantId, channel, to, template, values, locale, before })
    }
  }
}

function nameOf(user: UserRecord | undefined): string {
  const name = user ? [user.nickname, user.email ?? user.account ?? ''].filter(Boolean).join(' · ') : ''
  // A name that no notification takes must not keep the news from those whom it warns.
  return name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').slice(0, 300)
}

/** All of the platform's users are its administrators; a tenant's are those who hold it. */
async function findAdministrators(
  { access, users }: DeliveryTelling,
  tenantId: number,
): Promise<readonly UserRecord[]> {
  const holders = await Promise.all(administratorRoles.map((role) => access.holdersOf(tenantId, role)))
  const ids = tenantId > 0 ? [...new Set(holders.flat())] : undefined
  const found: UserRecord[] = []
  for (;;) {
    const some = await users.list(tenantId, { ids, after: found.at(-1)?.id, limit: batch })
    found.push(...some)
    if (some.length < batch) return found.filter(({ status }) => status === 'active')
  }
}

async function findHighest({ access, users }: DeliveryTelling, tenantId: number): Promise<readonly UserRecord[]> {
  const ids = await access.holdersOf(tenantId, tenantId > 0 ? 'tenant_owner' : 'super_admin')
  const found = await Promise.all(ids.map((id) => users.find(tenantId, id)))
  return found.filter((user) => user?.status === 'active') as readonly UserRecord[]
}

function addressesOf(
  { email, phone }: UserRecord,
  part: DeliveryChange['part'],
): readonly { readonly channel: MessageChannel; readonly to: string }[] {
  const byMail = email === null ? [] : [{ channel: 'email' as const, to: email }]
  return part === 'sms' && phone !== null ? [...byMail, { channel: 'sms', to: phone }] : byMail
}
