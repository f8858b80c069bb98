import type { Knex } from 'knex'
import type { AgentToolOffer } from '../../agents/contract.ts'
import type { ChatContributor, ChatTool, ChatTurn } from '../../chat/contract.ts'
import { callNameOf, originOf, serverOf } from '../tools/tool-name.ts'
import { asksFor, stateOf } from '../tools/tool-state.ts'
import type { ToolCalls, UsableTool } from '../use/tool-calls.ts'

type AgentTool = ChatTurn['agent']['definition']['tools'][number]

/** Brings the tools of servers to the agents that name them; a server that cannot be reached holds no run up. */
export function createContributor(calls: ToolCalls): ChatContributor {
  return {
    name: 'mcp',
    async prepare({ agent, tenant }) {
      const wanted = agent.definition.tools.flatMap(({ plugin, name }) => {
        const server = serverOf(plugin)
        return server === undefined ? [] : [{ server, name }]
      })
      if (wanted.length === 0) return {}
      const usable = await calls.usable(tenant.id, wanted)
      const found = agent.definition.tools.flatMap((wish) => {
        const tool = usable.find((each) => originOf(each.server.name) === wish.plugin && each.tool.name === wish.name)
        return tool ? [{ wish, tool }] : []
      })
      calls.refresh(new Map(found.map(({ tool: { server } }) => [server.id, server])).values())
      return { tools: found.map(({ wish, tool }) => toolOf(tool, wish, calls)) }
    },
  }
}

/** What a tenant's agents may be given. */
export async function offeredTools(calls: ToolCalls, tenantId: number, db: Knex): Promise<readonly AgentToolOffer[]> {
  const tools = await calls.allowed(tenantId, db)
  return tools.flatMap(({ server, tool }) => {
    const { name, title, description, effect, confirm } = tool
    const state = stateOf(tool)
    if (state === 'not_allowed') return []
    const told = { title: { default: title }, description: { default: description }, holderTitle: { default: server } }
    return [{ plugin: originOf(server), name, ...told, effect, confirm, state }]
  })
}

function toolOf(usable: UsableTool, { always_confirm: always }: AgentTool, calls: ToolCalls): ChatTool {
  const { server, tool, definition } = usable
  return {
    name: callNameOf(server.name, tool.name),
    ...{ title: definition.title, description: definition.description, schema: definition.input_schema },
    origin: originOf(server.name),
    asks: always === true || asksFor(tool),
    call: (input, { signal = new AbortController().signal }) => calls.call(usable, input, signal),
  }
}
