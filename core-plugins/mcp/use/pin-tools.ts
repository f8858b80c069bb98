import type { Knex } from 'knex'
import { McpServerRow, McpToolRow } from '../tables.ts'
import type { SeenTool } from '../tools/read-tool.ts'

/**
 * Keeps what a server says of its tools. What was approved stays as it was; a tool that somebody allowed by its name before it was ever
 * seen is approved as it is now, once.
 */
export async function pinTools({ id, tenantId }: McpServerRow, seen: readonly SeenTool[], db: Knex): Promise<void> {
  await db.transaction(async (trx) => {
    const server = await McpServerRow.of(tenantId, trx).findById(id).forUpdate()
    if (!server) return
    const known = await McpToolRow.of(tenantId, trx).where({ server_id: id })
    const names = new Set(seen.map(({ name }) => name))
    for (const tool of known) {
      if (names.has(tool.name)) continue
      const isForgotten = !tool.allowed && tool.approvedHash === null
      if (isForgotten) await McpToolRow.of(tenantId, trx).deleteById([id, tool.name])
      else if (tool.present) await McpToolRow.of(tenantId, trx).findById([id, tool.name]).patch({ present: false })
    }
    for (const tool of seen) {
      const before = known.find(({ name }) => name === tool.name)
      if (!before) await McpToolRow.of(tenantId, trx).insert(newTool(id, tool))
      else if (!before.present || before.hash !== tool.hash) {
        await McpToolRow.of(tenantId, trx).findById([id, tool.name]).patch(changeOf(before, tool))
      }
    }
  })
}

function newTool(serverId: string, { name, definition, hash, unfit }: SeenTool): Partial<McpToolRow> {
  const unapproved = { approved: null, approvedHash: null, approvedBy: null, approvedAt: null }
  const usual = { allowed: false, effect: 'external', confirm: 'write' } as const
  return { serverId, name, definition, hash, unfit, present: true, ...unapproved, ...usual }
}

function changeOf(before: McpToolRow, { definition, hash, unfit }: SeenTool): Partial<McpToolRow> {
  const isFirst = before.allowed && before.hash === null && before.approvedHash === null && unfit === null
  const approval = isFirst ? { approved: definition, approvedHash: hash, approvedAt: new Date() } : {}
  return { definition, hash, unfit, present: true, ...approval }
}
