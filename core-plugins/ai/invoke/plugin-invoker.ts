import type { AiInvocation } from '../../plugins/contract.ts'
import type { AiModelInfo } from '../contract.ts'
import { AiModelNotFoundError } from '../errors.ts'
import type { Relay } from '../relay/relay.ts'
import { chatCompletions } from '../wire/dialects/chat-completions/dialect.ts'

/** Answers plugins that call a model. */
interface InvokerParts {
  readonly relay: Relay
  readonly modelsFor: (tenantId: number) => readonly AiModelInfo[]
}

/**
 * Answers a plugin's `ctx.ai.invoke` in the form of chat completions, never as a stream: on the quota of its tenant, with the user who
 * led to it as the actor. Without a model it is the first of the tenant's that chat.
 */
export async function answerPlugin(invocation: AiInvocation, { relay, modelsFor }: InvokerParts): Promise<unknown> {
  const { tenant, userId, request, traceId, signal } = invocation
  const tenantId = tenant?.id ?? 0
  const usual = modelsFor(tenantId).find(({ kind }) => kind === 'chat')?.name
  const body = { model: usual, ...request, stream: false, stream_options: undefined }
  if (body.model === undefined) throw new AiModelNotFoundError()
  const read = chatCompletions.read(body)
  const spender = { tenantId, ...(userId !== undefined && { userId }) }
  const { answer, about } = await relay.start({ spender, purpose: 'tool', request: read, signal, traceId })
  if (!answer) return undefined
  const created = Math.floor(Date.now() / 1_000)
  const said = { id: chatCompletions.newId(), created, model: about.model, request: read }
  return JSON.parse(chatCompletions.answer(answer, said)) as unknown
}
