import type { Logger, RateLimiter } from '#kernel'
import type { Access } from '../../access/contract.ts'
import type { Notifier } from '../../notifications/contract.ts'
import { demand } from '../permissions.ts'
import type { CallRecord } from '../relay/call-record.ts'
import { texts } from './texts/texts.ts'

/** What notices stand on. */
interface NoticeParts {
  readonly access: Pick<Access, 'usersWith'>
  readonly notifier: Pick<Notifier, 'send'>
  readonly limiter: RateLimiter
  readonly log: Logger
}

const hourSeconds = 3_600

/** Tells who may change routes, of the tenant that calls, that a fallback of one is used: once an hour for each route and reason. */
export class FallbackNotices {
  readonly #parts: NoticeParts

  constructor(parts: NoticeParts) {
    this.#parts = parts
  }

  /** Hears of a call that is over. */
  note({ fallback, spender }: CallRecord): void {
    if (!fallback) return
    this.#tell(fallback, spender.tenantId).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'nobody is told of a fallback of an AI route')
    })
  }

  async #tell({ routeId, route, why, model }: NonNullable<CallRecord['fallback']>, tenantId: number): Promise<void> {
    const { access, notifier, limiter } = this.#parts
    const { allowed } = await limiter.hit(`ai.fallback:${String(tenantId)}:${routeId}:${why}`, 1, hourSeconds)
    if (!allowed) return
    const permission = demand('ai_gateway:routes')[tenantId === 0 ? 'platform' : 'tenant']
    const title = texts.keep('notice.fallback', { route, model, why })
    const message = { tenantId, title, level: 'warning', link: '/admin/ai/gateway', source: 'ai' } as const
    for (const userId of await access.usersWith(tenantId, permission)) await notifier.send({ ...message, userId })
  }
}
