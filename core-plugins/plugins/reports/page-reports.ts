import { shortenSaid, type Principal, type Said } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import type { UserDirectory } from '../../users/contract.ts'
import type { TenantCatalogue } from '../reading/tenant-catalogue.ts'
import { PluginNotFoundError } from '../shared/errors.ts'
import { texts } from '../texts/texts.ts'
import type { reportedStates } from './schemas.ts'

/** What a notice may take: see `NewNotification`. */
const mostCharacters = 2_000

/** What somebody says of a page that they look at. */
interface PageReport {
  readonly plugin: string
  readonly slot: string
  readonly state: (typeof reportedStates)[number]
  readonly words?: string
}

interface ReportParts {
  readonly catalogue: Pick<TenantCatalogue, 'slots'>
  readonly access: Pick<Access, 'usersWith'>
  readonly notifier: Pick<Notifier, 'send'>
  readonly users: Pick<UserDirectory, 'find'>
}

/** Takes what readers say of pages of plugins to whoever manages plugins where they are. */
export class PageReports {
  readonly #parts: ReportParts

  constructor(parts: ReportParts) {
    this.#parts = parts
  }

  /** Tells them; throws 404/4046 for a page that the reader does not have. */
  async tell(reader: Principal, locale: string, { plugin, slot, state, words = '' }: PageReport): Promise<void> {
    const { access, notifier, users } = this.#parts
    const page = await this.#find(reader, locale, plugin, slot)
    const { tenantId, userId } = reader
    const found = await users.find(tenantId, userId)
    const name = found?.nickname || found?.account || found?.email || String(userId)
    const title = texts.keep('notice.page_reported', { page: page.title, plugin: page.plugin_title })
    const body = shortenSaid(this.#body(name, state, words), mostCharacters)
    const message = { title, body, level: 'warning', source: 'plugins' } as const
    const isTenants = tenantId > 0
    const link = `/${isTenants ? 'tenant' : 'admin'}/plugins/${plugin}`
    const permission = isTenants ? 'tenant_plugin:enable' : 'platform_plugin:detail'
    for (const id of await access.usersWith(tenantId, permission))
      await notifier.send({ ...message, link, tenantId, userId: id })
  }

  #body(name: string, state: PageReport['state'], words: string): Said {
    const said = texts.keep(`notice.page_${state}`)
    return words.trim() === ''
      ? texts.keep('notice.page_said', { name, state: said })
      : texts.keep('notice.page_said_so', { name, state: said, words: words.trim() })
  }

  async #find(reader: Principal, locale: string, plugin: string, slot: string): Promise<PageEntry> {
    const entries = Object.values(await this.#parts.catalogue.slots(reader, locale)).flat() as readonly PageEntry[]
    const page = entries.find((each) => each.plugin === plugin && each.id === slot)
    if (!page) throw new PluginNotFoundError()
    return page
  }
}

interface PageEntry {
  readonly plugin: string
  readonly id: string
  readonly title: string
  readonly plugin_title: string
}
