import type { Knex } from 'knex'
import type { FieldError } from '#kernel'
import { McpToolChangedError } from '../errors.ts'
import { refuseFaults } from '../faults.ts'
import { McpToolRow, type McpServerRow } from '../tables.ts'
import type { AllowedTool } from './wishes.ts'

/** Lets agents use these tools and no others; one that was not allowed before is approved as it is now. */
export async function allowTools(
  { id, tenantId }: McpServerRow,
  wanted: ReadonlyMap<string, AllowedTool>,
  by: number,
  trx: Knex.Transaction,
): Promise<void> {
  const known = await McpToolRow.of(tenantId, trx).where({ server_id: id }).forUpdate()
  for (const tool of known) {
    const wish = wanted.get(tool.name)
    if (wish)
      await McpToolRow.of(tenantId, trx)
        .findById([id, tool.name])
        .patch(changeOf(tool, wish, by))
    else if (tool.allowed) await McpToolRow.of(tenantId, trx).findById([id, tool.name]).patch(forbidden)
  }
  const names = new Set(known.map(({ name }) => name))
  for (const [name, wish] of wanted) {
    if (names.has(name)) continue
    const blank = { definition: null, hash: null, present: false, unfit: null, ...unapproved }
    await McpToolRow.of(tenantId, trx).insert({ serverId: id, name, allowed: true, ...blank, ...settingsOf(wish) })
  }
}

/** Approves tools as they were when somebody looked at them. Throws 409/4094 for one that is another by now, and 422/4229. */
export async function approveTools(
  { id, tenantId }: McpServerRow,
  wanted: readonly { readonly name: string; readonly hash: string }[],
  by: number,
  trx: Knex.Transaction,
): Promise<void> {
  const known = await McpToolRow.of(tenantId, trx).where({ server_id: id }).forUpdate()
  refuseFaults(
    wanted.flatMap(({ name }, at): readonly FieldError[] => {
      const tool = known.find((each) => each.name === name)
      const field = `tools[${String(at)}]`
      if (!tool?.allowed) return [{ field, rule: 'allowed_tool', message: 'is no tool that is allowed' }]
      return tool.unfit === null ? [] : [{ field, rule: 'fit_tool', message: 'cannot be used' }]
    }),
  )
  for (const { name, hash } of wanted) {
    const tool = known.find((each) => each.name === name)
    if (tool?.hash !== hash) throw new McpToolChangedError({ details: { tool: name, hash: tool?.hash ?? null } })
    await McpToolRow.of(tenantId, trx).findById([id, name]).patch(approvalOf(tool, by))
  }
}

const unapproved = { approved: null, approvedHash: null, approvedBy: null, approvedAt: null } as const
const forbidden = { allowed: false, ...unapproved } as const

function changeOf(tool: McpToolRow, wish: AllowedTool, by: number): Partial<McpToolRow> {
  const isNew = !tool.allowed && tool.present && tool.unfit === null
  return { allowed: true, ...settingsOf(wish, tool), ...(isNew && approvalOf(tool, by)) }
}

function approvalOf({ definition, hash }: McpToolRow, by: number): Partial<McpToolRow> {
  return { approved: definition, approvedHash: hash, approvedBy: by, approvedAt: new Date() }
}

function settingsOf({ effect, confirm }: AllowedTool, before?: McpToolRow): Pick<McpToolRow, 'effect' | 'confirm'> {
  const does = effect ?? (before?.allowed ? before.effect : 'external')
  const isSame = effect === undefined || effect === before?.effect
  const kept = before?.allowed && isSame ? before.confirm : undefined
  return { effect: does, confirm: confirm ?? kept ?? (does === 'read' ? 'never' : 'write') }
}
