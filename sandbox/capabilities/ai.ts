import type { RateLimiter } from '#kernel'
import { pluginHash8 } from '../manifest/names.ts'
import type { PlatformServices } from '../platform-services.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { Refusal } from './refusal.ts'

const CALLS = 20
const PER_MINUTE = 60

/** What the capability works with. */
export interface AiCapabilityOptions {
  readonly limiter: RateLimiter
  readonly invokeAi: PlatformServices['invokeAi']
}

/** Calls of AI models, on the quota of the call's tenant and with its user as the actor. */
export function createAiCapability({ limiter, invokeAi }: AiCapabilityOptions): CapabilityOperations {
  async function invoke(request: Argument, call: CallContext, signal: AbortSignal): Promise<unknown> {
    const { plugin, tenantId, tenant, userId, traceId } = call
    if (call.count('ai') > CALLS) throw new Refusal('rate_limited', 'ai_calls', `A call can ask models ${CALLS} times`)
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:ai:${tenantId}`, PER_MINUTE, 60)
    if (!allowed) throw new Refusal('rate_limited', 'ai_rate', `${PER_MINUTE} calls of models a minute can be made`)
    const answer = invokeAi({ plugin, tenant, userId, request, traceId, signal })
    if (answer) return answer
    throw new Refusal('upstream', 'ai_unavailable', 'This platform has no AI models')
  }

  return { capability: 'ai:invoke', operations: { 'ai.invoke': invoke } }
}
