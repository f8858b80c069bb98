import { PermissionDeniedError } from '#kernel'
import { createGuestUsers, outcomeError, type Sandbox } from '#sandbox'
import type { LoadedPlugin } from '../../plugins/contract.ts'
import type { ToolCaller } from '../contract.ts'
import type { CompiledTool } from './compile-tool.ts'

/** A call of a tool that is there for its caller. */
interface ToolCall {
  readonly plugin: LoadedPlugin
  readonly tool: CompiledTool
  readonly input: unknown
  readonly caller: ToolCaller
}

/** What a tool answers for the model to read; the user's permission is asked, never that of whoever made the agent. */
export async function callTool(sandbox: Pick<Sandbox, 'call'>, call: ToolCall): Promise<unknown> {
  const { plugin, tool, input, caller } = call
  const { release, grants } = plugin
  const { permission, timeoutMs } = tool.shown
  const { tenant, user, locale, traceId, idempotencyKey, signal, spent } = caller
  if (permission !== undefined && !user?.can(permission))
    throw new PermissionDeniedError({ permission }, { details: { permission } })
  const outcome = await sandbox.call({
    release,
    grants,
    target: { kind: 'tool', name: tool.handler },
    input: tool.check.toInput(input),
    tenant,
    user: user && createGuestUsers(release.manifest)(user),
    wallMs: timeoutMs,
    ...(locale !== undefined && { locale }),
    ...(traceId !== undefined && { traceId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(signal && { signal }),
  })
  spent?.(outcome.cpuMs)
  if (!outcome.ok) throw outcomeError(release.name, outcome)
  return tool.check.toContent(outcome.value)
}
