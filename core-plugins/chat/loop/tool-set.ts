import { pickText, type Locale } from '#kernel'
import type { PublishedAgent } from '../../agents/contract.ts'
import type { NeutralTool } from '../../ai/contract.ts'
import type { PluginTool, PluginTools } from '../../plugin-offers/contract.ts'

/** A tool as the model and the user see it. */
export interface OfferedTool {
  /** As the model calls it: letters, digits, `_` and `-`, 64 at most. */
  readonly name: string
  readonly title: string
  readonly tool: PluginTool
  /** Whether the user is asked before each call. */
  readonly asks: boolean
  readonly forModel: NeutralTool
}

/** The tools of an agent that plugins provide at the moment, by the names that the model calls them by. */
export function offeredTools(
  { tenantId, definition }: PublishedAgent,
  offers: Pick<PluginTools, 'list'>,
  locale: Locale,
): ReadonlyMap<string, OfferedTool> {
  if (definition.tools.length === 0) return new Map()
  const provided = offers.list(tenantId)
  const found = definition.tools.flatMap((wanted) => {
    const tool = provided.find(({ plugin, name }) => plugin === wanted.plugin && name === wanted.name)
    return tool ? [{ tool, asks: wanted.always_confirm === true || asksFor(tool) }] : []
  })
  const counts = Map.groupBy(found, ({ tool }) => plain(tool.name))
  return new Map(
    found.map(({ tool, asks }) => {
      const short = plain(tool.name)
      const isAlone = counts.get(short)?.length === 1
      const name = isAlone ? short : plain(`${tool.plugin}_${tool.name}`)
      const description = pickText(tool.description, locale)
      const schema = tool.input as Readonly<Record<string, unknown>>
      return [name, { name, title: pickText(tool.title, locale), tool, asks, forModel: { name, description, schema } }]
    }),
  )
}

function asksFor({ confirm, effect }: PluginTool): boolean {
  return confirm === 'always' || (confirm === 'write' && effect !== 'read')
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
}
