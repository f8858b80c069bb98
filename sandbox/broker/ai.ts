import type { RateLimiter } from '#kernel'
import { pluginHash8 } from '../manifest/names.ts'
import type { GuestTenant } from '../grants.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { Refusal } from './refusal.ts'
import type { Provider } from './provider.ts'

const calls = 20
const perMinute = 60

/** A plugin's call of an AI model, on the quota of the tenant. */
interface GuestInvocation {
  readonly plugin: string
  /** Undefined = the platform. */
  readonly tenant: GuestTenant | undefined
  /** Undefined where no user led to the call. */
  readonly userId: number | undefined
  readonly request: Readonly<Record<string, unknown>>
  readonly traceId: string
  readonly signal: AbortSignal
}

/** What of the platform asks AI models. */
export interface AiServices {
  /** Undefined while nothing answers for AI models. */
  readonly invokeAi: (invocation: GuestInvocation) => Promise<unknown> | undefined
}

/** AI models; in a test what it gives answers for them. */
export const ai: Provider<AiServices> = {
  create: ({ services: { limiter, invokeAi } }) => createAiCapability({ limiter, invokeAi }),
  fake: ({ given }) => ({
    services: { invokeAi: ({ request }) => given.ai && Promise.resolve(given.ai(request)) },
  }),
}

/** What the capability works with. */
interface AiCapabilityOptions {
  readonly limiter: RateLimiter
  readonly invokeAi: AiServices['invokeAi']
}

/** Calls of AI models, on the quota of the call's tenant and with its user as the actor. */
function createAiCapability({ limiter, invokeAi }: AiCapabilityOptions): CapabilityOperations {
  async function invoke(request: Argument, call: CallContext, signal: AbortSignal): Promise<unknown> {
    const { plugin, tenantId, tenant, userId, traceId } = call
    if (call.count('ai') > calls) throw new Refusal('rate_limited', 'ai_calls', `A call can ask models ${calls} times`)
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:ai:${tenantId}`, perMinute, 60)
    if (!allowed) throw new Refusal('rate_limited', 'ai_rate', `${perMinute} calls of models a minute can be made`)
    const answer = invokeAi({ plugin, tenant, userId, request, traceId, signal })
    if (answer) return answer
    throw new Refusal('upstream', 'ai_unavailable', 'This platform has no AI models')
  }

  return { capability: 'ai:invoke', operations: { 'ai.invoke': invoke } }
}
