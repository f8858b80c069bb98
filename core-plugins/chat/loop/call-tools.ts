import type { Principal, Tenant } from '#kernel'
import type { AiLedger, Refusal, Spender, ToolHold } from '../../ai-ledger/contract.ts'
import type { ToolOutcome } from '../../plugin-offers/contract.ts'
import { ToolQuotaError } from '../errors.ts'
import type { NewRunEvent, ToolCallRecord } from '../run-events.ts'
import type { NeutralMessage } from '../../ai/contract.ts'
import { toolResult } from './history.ts'
import { redact } from './redact.ts'
import type { OfferedTool } from './tool-set.ts'

/** Calls that are made at the same time. */
const parallel = 4
/** All calls of one step together. */
const wallMs = 60_000
/** Of what a tool answers the model reads so much. */
const mostBytes = 16 * 1024
/** Held in the ledger: longer than a step may take. */
const holdMs = wallMs + 30_000
const summaryCharacters = 200

/** A call that the model asks for. */
export interface AskedCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/** What users see of a call, without what is secret. */
export type ShownCall = Pick<ToolCallRecord, 'id' | 'name' | 'title' | 'plugin' | 'arguments'>

/** What calls are made with. */
export interface CallContext {
  readonly offered: ReadonlyMap<string, OfferedTool>
  readonly ledger: Pick<AiLedger, 'tool'>
  /** Whose quotas count calls. */
  readonly spender: Spender
  readonly user: Principal
  readonly tenant: Pick<Tenant, 'id' | 'code'>
  readonly runId: string
  readonly traceId: string
  readonly signal: AbortSignal
  readonly emit: (event: NewRunEvent) => void
  /** Keeps all that a tool answered as a file; undefined where nothing is kept. */
  readonly keepWhole:
    ((call: Pick<ToolCallRecord, 'id' | 'name'>, bytes: Buffer) => Promise<string | undefined>) | undefined
}

/** What a call came to. */
interface MadeCall {
  readonly record: ToolCallRecord
  readonly result: NeutralMessage
  /** Whether its arguments were no fit. */
  readonly isInvalid: boolean
}

/** Makes calls, a few at a time; whatever goes wrong is a result, of which the model is told. In the order of the calls. */
export async function makeCalls(calls: readonly AskedCall[], context: CallContext): Promise<readonly MadeCall[]> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(wallMs)])
  const made = new Map<AskedCall, MadeCall>()
  const left = [...calls]
  const work = async (): Promise<void> => {
    for (let call = left.shift(); call; call = left.shift())
      made.set(call, await makeCall(call, { ...context, signal }))
  }
  await Promise.all(Array.from({ length: parallel }, work))
  context.signal.throwIfAborted()
  return calls.flatMap((call) => made.get(call) ?? [])
}

/** A call that is not made, as it was shown: the user refused it, unless the text says otherwise. */
export function refusedCall(shown: ShownCall, text = 'The user refused this call.'): MadeCall {
  const { id, name, title, plugin, arguments: given } = shown
  const record = { id, name, title, plugin, arguments: given, status: 'refused' as const, duration_ms: 0 }
  return { record, result: toolResult(id, text, true), isInvalid: false }
}

/** What is shown of a call. */
export function recordOf(call: AskedCall, offered: OfferedTool | undefined): ShownCall {
  const { shownName, title, origin } = offered ?? {}
  return {
    ...{ id: call.id, name: shownName ?? call.name, title: title ?? call.name, plugin: origin ?? null },
    arguments: redact(readArguments(call.arguments) ?? null, offered?.forModel.schema),
  }
}

async function makeCall(call: AskedCall, context: CallContext): Promise<MadeCall> {
  const { emit, offered } = context
  const found = offered.get(call.name)
  const { id, ...shown } = recordOf(call, found)
  emit({ kind: 'tool.started', data: { call_id: id, ...shown } })
  const begun = performance.now()
  const outcome = await outcomeOf(call, found, context)
  const durationMs = Math.round(performance.now() - begun)
  const bytes = Buffer.from(outcome.ok ? textOf(outcome.content) : outcome.text)
  const file = bytes.length > mostBytes ? await context.keepWhole?.({ id, name: shown.name }, bytes) : undefined
  const attached = file === undefined ? {} : { attachment_id: file }
  const text = told(bytes, file)
  const error = outcome.ok ? {} : { error: { code: outcome.code, reason: outcome.reason, message: outcome.message } }
  const summary = text.slice(0, summaryCharacters).toWellFormed()
  emit({
    kind: 'tool.completed',
    data: { call_id: id, ok: outcome.ok, summary, duration_ms: durationMs, ...attached, ...error },
  })
  const status = outcome.ok ? ('ok' as const) : ('error' as const)
  const record = { id, ...shown, status, duration_ms: durationMs, ...attached }
  return { record, result: toolResult(id, text, !outcome.ok), isInvalid: !outcome.ok && outcome.code === 4220 }
}

type Outcome =
  | { readonly ok: true; readonly content: unknown }
  | {
      readonly ok: false
      readonly code: number
      readonly reason: string
      readonly message: string
      readonly text: string
    }

async function outcomeOf(call: AskedCall, found: OfferedTool | undefined, context: CallContext): Promise<Outcome> {
  if (!found) return failed(4040, 'plugin_tool_not_found', `There is no tool ${call.name}`)
  const input = readArguments(call.arguments)
  if (input === undefined) return failed(4220, 'validation_failed', 'The arguments are no JSON')
  const { user, tenant, traceId, runId, signal, ledger, spender } = context
  try {
    const wish = { spender, tool: found.shownName, provider: found.origin, units: found.units, ttlMs: holdMs }
    const held = await ledger.tool(wish)
    if ('refused' in held) return overQuota(held.refused)
    const caller = { user, tenant, traceId, signal, idempotencyKey: `${runId}:${call.id}` }
    const outcome = await counted(held.hold, signal, (spent) => found.call(input, { ...caller, spent }))
    if (outcome.ok) return outcome
    const faults = (outcome.errors ?? []).map(({ field, message }) => `${field}: ${message}`).join('; ')
    return failed(outcome.code, outcome.reason, outcome.message, faults)
  } catch {
    return failed(5008, 'tool_failed', 'The tool failed')
  }
}

/** Makes the call and charges it, however it ends. */
async function counted(
  hold: ToolHold,
  signal: AbortSignal,
  call: (spent: (cpuMs: number) => void) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  let cpuMs = 0
  let isOk = false
  try {
    const outcome = await call((took) => (cpuMs = took))
    isOk = outcome.ok
    return outcome
  } finally {
    const broken = signal.aborted ? 'client_abort' : 'upstream_error'
    hold.end({ outcome: isOk ? 'ok' : broken, cpuMs })
  }
}

function overQuota({ quotaName }: Refusal): Outcome {
  const { code, reason, message } = new ToolQuotaError({ quota: quotaName })
  return failed(code, reason, message)
}

function failed(code: number, reason: string, message: string, more = ''): Outcome {
  return { ok: false, code, reason, message, text: more === '' ? message : `${message} (${more})` }
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text) as unknown
  } catch {
    return undefined
  }
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : (JSON.stringify(content) ?? 'null')
}

/** What the model reads of an answer: all of it, or its beginning and where all of it is. */
function told(bytes: Buffer, file: string | undefined): string {
  if (bytes.length <= mostBytes) return bytes.toString()
  const where = file === undefined ? '' : `; all of it is the user’s file ${file}`
  const rest = `\n[cut: ${String(bytes.length)} bytes in all${where}]`
  const room = mostBytes - Buffer.byteLength(rest)
  return (
    bytes
      .subarray(0, room)
      .toString()
      .replace(/\ufffd+$/, '') + rest
  )
}
