import type { Knex } from 'knex'
import { pickText, presentPage, type Locale, type Page, type Principal, type TenantResolver } from '#kernel'
import type { AgentToolOffer } from '../contract.ts'
import type { ToolOffers } from '../tool-offers.ts'
import { ownerOf } from './agent-store.ts'

/** What the list of tools stands on. */
interface ToolListParts {
  readonly db: Knex
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly tools: Pick<ToolOffers, 'all'>
}

/** Which tools a list shows; what is left out does not matter. */
interface ToolFilter extends Partial<Pick<AgentToolOffer, 'plugin' | 'effect' | 'confirm' | 'state'>> {
  readonly tenant_id?: number
  /** `plugin/name`, with commas between them. */
  readonly names?: string
}

/** The tools that agents may be given, for whoever makes agents. */
export class ToolList {
  readonly #parts: ToolListParts

  constructor(parts: ToolListParts) {
    this.#parts = parts
  }

  /** Those of one tenant, by who brings them. Throws 422/4229 for another tenant, and without one for the platform. */
  async list(reader: Principal, page: Page, { tenant_id: wanted, names, ...filter }: ToolFilter, locale: Locale) {
    const { db, tenants, tools } = this.#parts
    const tenantId = await ownerOf(reader, wanted, tenants)
    const named = names === undefined ? undefined : new Set(names.split(','))
    const words = page.q.toLowerCase()
    const found = (await tools.all(tenantId, db))
      .filter(
        ({ plugin, name, effect, confirm, state }) =>
          (named?.has(`${plugin}/${name}`) ?? true) &&
          (filter.plugin ?? plugin) === plugin &&
          (filter.effect ?? effect) === effect &&
          (filter.confirm ?? confirm) === confirm &&
          (filter.state ?? state) === state,
      )
      .map((tool) => presentOffer(tool, locale))
      .filter((tool) => textsOf(tool).some((text) => text.toLowerCase().includes(words)))
      .sort(byHolder(locale))
    return presentPage(page, found.length, found.slice(page.offset, page.offset + page.size))
  }
}

/** A tool as whoever makes agents sees it. */
function presentOffer(tool: AgentToolOffer, locale: Locale) {
  const { plugin, name, title, description, holderTitle, effect, confirm, permission = null, state } = tool
  const kind = plugin.startsWith('mcp:') ? ('mcp' as const) : ('plugin' as const)
  return {
    ...{ plugin, name, title: pickText(title, locale), description: pickText(description, locale) },
    source: { kind, title: pickText(holderTitle, locale) },
    ...{ effect, confirm, permission, state },
  }
}

type PresentedOffer = ReturnType<typeof presentOffer>

function textsOf({ plugin, name, title, description, source }: PresentedOffer): readonly string[] {
  return [plugin, name, title, description, source.title]
}

/** Plugins come before servers, and those of one holder together. */
function byHolder(locale: Locale): (one: PresentedOffer, other: PresentedOffer) => number {
  const { compare } = new Intl.Collator(locale)
  return (one, other) =>
    compare(other.source.kind, one.source.kind) ||
    compare(one.source.title, other.source.title) ||
    compare(one.plugin, other.plugin) ||
    compare(one.title, other.title) ||
    compare(one.name, other.name)
}
