import { providedAnswers, type AiRouter } from '#sandbox'
import type { PluginAsker } from '../ask-plugin.ts'
import type { PluginRouter, PluginRouters, RouterQuestion } from '../contract.ts'
import type { ContributedItems } from '../contributed.ts'
import { RouterNotFoundError } from '../errors.ts'

/** A router is a thought, and a request waits for it. */
const usualCpuMs = 5
const wallMs = 250

/** Asks the routers of plugins. */
export class PluginRouterBook implements PluginRouters {
  readonly #items: ContributedItems<AiRouter>
  readonly #asker: PluginAsker

  constructor(items: ContributedItems<AiRouter>, asker: PluginAsker) {
    this.#items = items
    this.#asker = asker
  }

  list(tenantId: number): readonly PluginRouter[] {
    return this.#items
      .list(tenantId)
      .map(({ plugin, item: { code, title } }) => ({ plugin: plugin.release.name, code, title }))
  }

  async order({ plugin, code, tenantId, callerId, request, candidates, traceId, signal }: RouterQuestion) {
    const found = this.#items.find(plugin, code)
    if (!found || !this.#items.isOffered(found, tenantId)) throw new RouterNotFoundError({ router: code ?? plugin })
    const { release, grants } = found.plugin
    const { value, cpuMs } = await this.#asker.ask({
      ...{ release, grants, tenantId: callerId, target: { kind: 'router', name: found.item.handler } },
      ...{ input: JSON.stringify({ request, candidates }), isPure: true, wallMs: wallMs, cpuMs: usualCpuMs },
      ...{ traceId, signal },
    })
    return { order: providedAnswers.checkOrder(value, candidates), cpuMs }
  }
}
