import { PermissionDeniedError, pickText, type Locale } from '#kernel'
import type { PublishedAgent } from '../../agents/contract.ts'
import type { NeutralTool } from '../../ai/contract.ts'
import type { PluginTool, PluginTools, ToolOutcome } from '../../plugin-offers/contract.ts'
import type { ChatTool } from '../contract.ts'

/** A tool as the model and the user see it. */
export interface OfferedTool {
  /** As the model calls it: letters, digits, `_` and `-`, 64 at most. */
  readonly name: string
  /** As whoever brings it calls it. */
  readonly shownName: string
  readonly title: string
  /** The plugin, or the core plugin or server, that brings it. */
  readonly origin: string
  /** Whether the user is asked before each call. */
  readonly asks: boolean
  /** Units of the quota `tool_calls` that a call costs. */
  readonly units: number
  readonly forModel: NeutralTool
  readonly call: ChatTool['call']
}

/** Names of tools: letters, digits, `_` and `-`, 64 at most. */
const fitName = /^[A-Za-z0-9_-]{1,64}$/

/** The tools of a run by the names that the model calls them by: those of the agent that plugins provide at the moment, then contributed ones. */
export function offeredTools(
  agent: PublishedAgent,
  offers: Pick<PluginTools, 'list' | 'call'>,
  contributed: readonly ChatTool[],
  locale: Locale,
): ReadonlyMap<string, OfferedTool> {
  const tools = new Map(pluginTools(agent, offers, locale).map((tool) => [tool.name, tool]))
  for (const tool of contributed) {
    const { name, title, description, schema, origin, asks } = tool
    if (tools.has(name) || !fitName.test(name)) continue
    const call: ChatTool['call'] = (input, caller) => callPermitted(tool, input, caller)
    const forModel = { name, description, schema }
    tools.set(name, { name, shownName: name, title, origin, asks, units: 1, forModel, call })
  }
  return tools
}

async function callPermitted(
  tool: ChatTool,
  input: unknown,
  caller: Parameters<ChatTool['call']>[1],
): Promise<ToolOutcome> {
  const { permission } = tool
  if (permission === undefined || caller.user.can(permission)) return tool.call(input, caller)
  const { code, reason, message } = new PermissionDeniedError({ permission })
  return { ok: false, code, reason, message }
}

function pluginTools(
  { tenantId, definition }: PublishedAgent,
  offers: Pick<PluginTools, 'list' | 'call'>,
  locale: Locale,
): readonly OfferedTool[] {
  if (definition.tools.length === 0) return []
  const provided = offers.list(tenantId)
  const found = definition.tools.flatMap((wanted) => {
    const tool = provided.find(({ plugin, name }) => plugin === wanted.plugin && name === wanted.name)
    return tool ? [{ tool, asks: wanted.always_confirm === true || asksFor(tool) }] : []
  })
  const counts = Map.groupBy(found, ({ tool }) => plain(tool.name))
  return found.map(({ tool, asks }) => {
    const short = plain(tool.name)
    const isAlone = counts.get(short)?.length === 1
    const name = isAlone ? short : plain(`${tool.plugin}_${tool.name}`)
    const description = pickText(tool.description, locale)
    const schema = tool.input as Readonly<Record<string, unknown>>
    return {
      ...{ name, shownName: tool.name, title: pickText(tool.title, locale), origin: tool.plugin, asks },
      units: tool.quotaCost,
      forModel: { name, description, schema },
      call: (input, caller) => offers.call(tool, input, caller),
    }
  })
}

function asksFor({ confirm, effect }: PluginTool): boolean {
  return confirm === 'always' || (confirm === 'write' && effect !== 'read')
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
}
