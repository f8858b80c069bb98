import type { McpToolRow, ToolDefinition } from '../tables.ts'
import type { toolStates } from './tool-states.ts'

/** Whether a tool can be called, and why not. */
type ToolState = (typeof toolStates)[number]

/** Only a tool that is allowed and is still what was approved is `on`. */
export function stateOf(tool: Pick<McpToolRow, 'allowed' | 'present' | 'unfit' | 'hash' | 'approvedHash'>): ToolState {
  if (!tool.allowed) return 'not_allowed'
  if (!tool.present || tool.hash === null) return 'gone'
  if (tool.unfit !== null) return 'unfit'
  if (tool.approvedHash === null) return 'awaiting_approval'
  return tool.approvedHash === tool.hash ? 'on' : 'changed'
}

/** Whether the user is asked before each call. */
export function asksFor({ confirm, effect }: Pick<McpToolRow, 'confirm' | 'effect'>): boolean {
  return confirm === 'always' || (confirm === 'write' && effect !== 'read')
}

/** What is another than it was approved. */
export function diffOf(approved: ToolDefinition | null, now: ToolDefinition | null) {
  if (!approved || !now) return []
  return (['title', 'description', 'input_schema'] as const).flatMap((path) => {
    const [from, to] = [approved[path], now[path]]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path, from, to }]
  })
}
