import type { McpConfirm, McpEffect, McpTool } from './wire.ts'

/** What somebody wants of a tool. */
export interface ToolWish {
  readonly allowed: boolean
  readonly effect: McpEffect
  readonly confirm: McpConfirm
}

/** What holds of a tool. */
export function wishOf({ allowed, effect, confirm }: McpTool): ToolWish {
  return { allowed, effect, confirm }
}
