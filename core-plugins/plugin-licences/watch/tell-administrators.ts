import { compilePermissionCheck, type Logger, type Said } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { LicenceNews } from '../books/licence-phase.ts'
import { texts } from '../texts/texts.ts'

/** What there is to tell of the licence of a plugin. */
interface LicenceWord {
  readonly plugin: string
  readonly news: LicenceNews
  /** For whom; 0 = the whole site. */
  readonly tenantIds: readonly number[]
  readonly endsAt: Date | null
}

/** Sends a word to everybody who may change licences. */
export type TellAdministrators = (word: LicenceWord) => Promise<void>

const permission = 'platform_plugin:license'

/** What telling stands on. */
interface TellParts {
  readonly access: Pick<Access, 'listRoles' | 'holdersOf'>
  readonly users: Pick<UserDirectory, 'find'>
  readonly notifier: Notifier
  readonly log: Logger
}

/** Tells administrators of the platform in the console, each in the own language. */
export function createTellAdministrators({ access, users, notifier, log }: TellParts): TellAdministrators {
  async function recipients(): Promise<readonly number[]> {
    const roles = (await access.listRoles(0)).filter(({ permissions }) =>
      compilePermissionCheck(permissions)(permission),
    )
    const holders = await Promise.all(roles.map(({ code }) => access.holdersOf(0, code)))
    return [...new Set(holders.flat())]
  }
  return async ({ plugin, news, tenantIds, endsAt }) => {
    for (const userId of await recipients()) {
      try {
        const user = await users.find(0, userId)
        if (user?.status !== 'active') continue
        const title = texts.keep(`notice.licence_${news}`, { plugin })
        const body = bodyOf(tenantIds, endsAt)
        const level = news === 'over' ? ('error' as const) : ('warning' as const)
        await notifier.send({ tenantId: 0, userId, title, body, level, link: `/plugins/${plugin}`, source: 'plugins' })
      } catch (error) {
        log.warn({ err: error, plugin, user: userId }, 'an administrator could not be told of a licence')
      }
    }
  }
}

function bodyOf(tenantIds: readonly number[], endsAt: Date | null): string | Said {
  const ids = tenantIds.filter((id) => id !== 0)
  const tenants = ids.slice(0, 20).join(', ') + (ids.length > 20 ? ', …' : '')
  const end = endsAt?.toISOString().slice(0, 16).replace('T', ' ')
  if (end === undefined) return tenants === '' ? '' : texts.keep('notice.licence_tenants', { tenants })
  return tenants === ''
    ? texts.keep('notice.licence_end', { end })
    : texts.keep('notice.licence_end_tenants', { end, tenants })
}
