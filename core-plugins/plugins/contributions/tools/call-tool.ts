import { PermissionDeniedError, ValidationFailedError } from '#kernel'
import { createGuestUsers, PluginResponseInvalidError, type Sandbox } from '#sandbox'
import type { LoadedPlugin } from '../../running/loaded-plugin.ts'
import type { ToolCaller } from '../contract.ts'
import type { CompiledTool } from './compile-tool.ts'

const MAX_INPUT = 65_536
const MAX_CHECKED_OUTPUT = 262_144

/** A call of a tool that is there for its caller. */
export interface ToolCall {
  readonly plugin: LoadedPlugin
  readonly tool: CompiledTool
  readonly input: unknown
  readonly caller: ToolCaller
}

/** What a tool answers for the model to read; the user's permission is asked, never that of whoever made the agent. */
export async function callTool(sandbox: Pick<Sandbox, 'answer'>, call: ToolCall): Promise<unknown> {
  const { plugin, tool, caller } = call
  const { release, grants } = plugin
  const { permission, timeoutMs } = tool.shown
  const { tenant, user, locale, traceId, idempotencyKey, signal } = caller
  if (permission !== undefined && !user?.can(permission))
    throw new PermissionDeniedError({ permission }, { details: { permission } })
  const text = await sandbox.answer({
    release,
    grants,
    target: { kind: 'tool', name: tool.handler },
    input: checkInput(call),
    tenant,
    user: user && createGuestUsers(release.manifest)(user),
    wallMs: timeoutMs,
    ...(locale !== undefined && { locale }),
    ...(traceId !== undefined && { traceId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(signal && { signal }),
  })
  return checkOutput(tool, JSON.parse(text))
}

/** The argument's JSON text with the schema's defaults filled in. */
function checkInput({ tool, input }: ToolCall): string {
  // A check costs as much as there is to be checked, so that the size comes first.
  if (sizeOf(input) > MAX_INPUT) {
    throw new ValidationFailedError({
      errors: [{ field: '', rule: 'size', message: `is larger than ${MAX_INPUT} bytes` }],
    })
  }
  const value: unknown = structuredClone(input)
  if (tool.input.isValid(value)) return JSON.stringify(value)
  throw new ValidationFailedError({ errors: tool.input.explain(value, 'en', 'first') })
}

function checkOutput({ output }: CompiledTool, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('content' in answer))
    throw new PluginResponseInvalidError({ cause: 'The answer of a tool is { content }' })
  const { content } = answer
  if (!output) return content
  if (sizeOf(content) > MAX_CHECKED_OUTPUT)
    throw new PluginResponseInvalidError({ details: { limit: MAX_CHECKED_OUTPUT } })
  if (output.isValid(content)) return content
  throw new PluginResponseInvalidError({ errors: output.explain(content, 'en', 'first') })
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}
