import { requireFreshSignIn } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { ConfigGuard } from '../../config/contract.ts'
import type { MessageChannel } from '../contract.ts'
import { groups } from '../declared/groups.ts'
import type { DeliveryNews } from './delivery-news.ts'

const channels: Readonly<Record<string, MessageChannel>> = { platform_mail: 'email', platform_sms: 'sms' }

/** What the guard stands on. */
interface DeliveryGuardParts {
  readonly access: Access
  readonly news: Pick<DeliveryNews, 'record'>
}

/**
 * Whoever says where messages go reads the links that reset passwords: only somebody freshly signed in who is above nobody's
 * account but holds as much as the highest may, and the change is written down with the way that messages went before.
 */
export function guardDelivery({ access, news }: DeliveryGuardParts): ConfigGuard {
  return {
    keys: groups.flatMap(({ items }) => items.map(({ key }) => key)),
    async pass({ group, actor, before }, trx) {
      const part = channels[group]
      if (part === undefined) return
      if (actor) {
        requireFreshSignIn(actor)
        await access.requireAuthorityOverAll(actor, 0, trx)
      }
      const by = actor && { tenantId: actor.tenantId, userId: actor.userId }
      await news.record({ part, tenantId: 0, by: by ?? null }, trx, before)
    },
  }
}
