import { randomUUID } from 'node:crypto'
import type { AttemptRow, Hold, HoldWish, ToolHold, ToolTook, ToolWish } from '../contract.ts'

const noTokens = {
  ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
}

/** What a call of a tool holds: itself, and that anything is left of what it takes of the CPU. */
export function holdWishOf({ spender, tool, provider, units = 1, ttlMs }: ToolWish): HoldWish {
  return {
    ...{ requestId: randomUUID(), spender, purpose: 'tool', ttlMs, inputCostNano: 0n },
    models: [{ modelId: '', providerId: provider, priced: true, model: tool }],
    worst: {
      ...{ requests: 0, inputTokens: 0, outputTokens: 0, costNano: 0n },
      ...{ toolCalls: units, toolCpuMs: 1, sandboxMs: 1 },
    },
  }
}

/** A hold as that of a call of a tool. */
export function toolHoldOf(hold: Hold, wish: ToolWish): ToolHold {
  const [at, begun] = [new Date(), performance.now()]
  return {
    end: (took) => hold.end([rowOf(wish, took, at, performance.now() - begun)]),
    drop: () => hold.end([]),
  }
}

function rowOf(
  { tool, provider, units = 1 }: ToolWish,
  { outcome, cpuMs }: ToolTook,
  at: Date,
  durationMs: number,
): AttemptRow {
  const cpu = Number.isFinite(cpuMs) ? Math.max(0, Math.ceil(cpuMs)) : 0
  return {
    ...{ id: randomUUID(), attempt: 1, at, modelId: '', model: tool, modelVersion: 1, providerId: provider },
    ...{ usage: noTokens, costNano: 0n, listCostNano: 0n, possibleCostNano: 0n, source: 'provider', outcome },
    ...{ durationMs: Math.round(durationMs), stream: false, toolCalls: units, toolCpuMs: cpu, sandboxMs: cpu },
  }
}
