import { AppError, TenantNotRecognisedError, type Principal, type Tenant, type TenantResolver } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { AgentDirectory, PublishedAgent } from '../../agents/contract.ts'
import type { AgentModel, AgentModelCaller, AgentModels, NeutralRequest } from '../../ai/contract.ts'
import type { ChatService } from '../door/chat-service.ts'
import { ConversationNotFoundError } from '../errors.ts'
import type { UnstoredRuns } from '../unstored/unstored-runs.ts'
import { userOf } from '../unstored/key-user.ts'
import { readRequest } from './read-request.ts'
import { toldEvents } from './told-events.ts'

interface AgentModelParts {
  readonly access: Pick<Access, 'grantsOf'>
  readonly agents: AgentDirectory
  readonly tenants: Pick<TenantResolver, 'byId'>
  readonly chat: Pick<ChatService, 'start'>
  readonly unstored: UnstoredRuns
}

interface Asked {
  readonly user: Principal
  readonly tenant: Tenant
  readonly agent: PublishedAgent
}

/** Agents as models of `/v1`. */
export class ChatAgentModels implements AgentModels {
  readonly #parts: AgentModelParts

  constructor(parts: AgentModelParts) {
    this.#parts = parts
  }

  async list({ key }: Pick<AgentModelCaller, 'key'>): Promise<readonly AgentModel[]> {
    const user = await userOf(key, this.#parts.access)
    try {
      const usable = await this.#parts.agents.usable(user)
      return usable.map(({ code, definition, publishedAt }) => {
        return { code, displayName: definition.name, createdAt: publishedAt }
      })
    } catch (error) {
      if (error instanceof AppError && error.status === 403) return []
      throw error
    }
  }

  async start(code: string, request: NeutralRequest, caller: AgentModelCaller) {
    const { access, agents, tenants } = this.#parts
    const user = await userOf(caller.key, access)
    const agent = await agents.get(user, code)
    const tenant = await tenants.byId(user.tenantId)
    if (!tenant) throw new TenantNotRecognisedError()
    const asked = { user, tenant, agent }
    const { messages, dropped } = readRequest(request)
    const about = dropped.length > 0 ? { 'x-ai-dropped-params': dropped.join(', ').replace(/[^\x20-\x7e]/g, '?') } : {}
    if (caller.conversationId !== undefined) return this.#goOn(asked, caller.conversationId, request, caller, about)
    const { id, live } = await this.#parts.unstored.start({
      ...{ ...asked, messages, inputs: {}, maxOutputTokens: request.maxOutputTokens, temperature: request.temperature },
      ...{
        keyId: caller.key.id,
        tags: caller.tags,
        traceId: caller.traceId,
        locale: caller.locale,
        signal: caller.signal,
      },
    })
    return { headers: { ...about, 'x-request-id': id }, events: toldEvents(live.read(-1), request.model, id) }
  }

  /** The last message goes into a conversation that is stored; what was said before is known there. */
  async #goOn(
    { user, tenant, agent }: Asked,
    conversationId: string,
    request: NeutralRequest,
    { key, tags, traceId, locale, signal }: AgentModelCaller,
    about: Readonly<Record<string, string>>,
  ) {
    // Conversations belong to users.
    if (user.userId === 0) throw new ConversationNotFoundError()
    const last = request.messages.findLast(({ role }) => role === 'user')
    const message = (last?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const { maxOutputTokens, temperature } = request
    const wish = {
      ...{ message, on_disconnect: 'cancel' as const },
      ...(conversationId !== 'new' && { conversation_id: conversationId }),
      options: {
        ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
        ...(temperature !== undefined && { temperature: Math.min(temperature, 2) }),
      },
    }
    const caller = { principal: user, tenant, traceId, locale, keyId: key.id, tags }
    const { run, conversation, read, leave } = await this.#parts.chat.start(agent.id, wish, caller)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    const headers = { ...about, 'x-request-id': run.id, 'x-conversation-id': conversation.id }
    return { headers, events: toldEvents(read(), request.model, run.id) }
  }
}
