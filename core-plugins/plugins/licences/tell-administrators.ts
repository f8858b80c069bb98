import { compilePermissionCheck, type Logger } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { LicenceNews } from '../licence-book/licence-phase.ts'

/** What there is to tell of the licence of a plugin. */
export interface LicenceWord {
  readonly plugin: string
  readonly news: LicenceNews
  /** For whom; 0 = the whole site. */
  readonly tenantIds: readonly number[]
  readonly endsAt: Date | null
}

/** Sends a word to everybody who may change licences. */
export type TellAdministrators = (word: LicenceWord) => Promise<void>

const PERMISSION = 'platform_plugin:license'

const TITLES: Readonly<Record<LicenceNews, { readonly en: string; readonly zh: string }>> = {
  ends_14: { en: 'The licence of {plugin} ends in less than 14 days', zh: '{plugin} 的许可证将在 14 天内到期' },
  ends_3: { en: 'The licence of {plugin} ends in less than 3 days', zh: '{plugin} 的许可证将在 3 天内到期' },
  ends_0: { en: 'The licence of {plugin} ends within a day', zh: '{plugin} 的许可证将在一天内到期' },
  grace: {
    en: 'The licence of {plugin} has ended: everything goes on until its grace is over',
    zh: '{plugin} 的许可证已到期，目前处于宽限期，功能暂不受影响',
  },
  over: {
    en: 'The licence of {plugin} is over: it can be read and does nothing else',
    zh: '{plugin} 的许可证已失效：数据仅可读取，其余功能已停用',
  },
}

/** What telling stands on. */
export interface TellParts {
  readonly access: Pick<Access, 'listRoles' | 'holdersOf'>
  readonly users: Pick<UserDirectory, 'find'>
  readonly notifier: Notifier
  readonly log: Logger
}

/** Tells administrators of the platform in the console, each in the own language. */
export function createTellAdministrators({ access, users, notifier, log }: TellParts): TellAdministrators {
  async function recipients(): Promise<readonly number[]> {
    const roles = (await access.listRoles(0)).filter(({ permissions }) =>
      compilePermissionCheck(permissions)(PERMISSION),
    )
    const holders = await Promise.all(roles.map(({ code }) => access.holdersOf(0, code)))
    return [...new Set(holders.flat())]
  }
  return async ({ plugin, news, tenantIds, endsAt }) => {
    for (const userId of await recipients()) {
      try {
        const user = await users.find(0, userId)
        if (user?.status !== 'active') continue
        const isChinese = user.locale?.startsWith('zh') ?? false
        const title = TITLES[news][isChinese ? 'zh' : 'en'].replace('{plugin}', plugin)
        const body = describe(tenantIds, endsAt, isChinese)
        const level = news === 'over' ? ('error' as const) : ('warning' as const)
        await notifier.send({ tenantId: 0, userId, title, body, level, link: `/plugins/${plugin}`, source: 'plugins' })
      } catch (error) {
        log.warn({ err: error, plugin, user: userId }, 'an administrator could not be told of a licence')
      }
    }
  }
}

function describe(tenantIds: readonly number[], endsAt: Date | null, isChinese: boolean): string {
  const tenants = tenantIds.filter((id) => id !== 0)
  const shown = tenants.slice(0, 20).join(', ') + (tenants.length > 20 ? ', …' : '')
  const end = endsAt?.toISOString().slice(0, 16).replace('T', ' ')
  const parts = isChinese
    ? [end && `到期时间：${end} UTC`, tenants.length > 0 && `租户：${shown}`]
    : [end && `End: ${end} UTC`, tenants.length > 0 && `Tenants: ${shown}`]
  return parts.filter(Boolean).join(isChinese ? '；' : '. ')
}
