import { providedAnswers, type AiGuardrail, type GuardrailPhase } from '#sandbox'
import type { PluginAsker } from '../ask-plugin.ts'
import type {
  GuardrailAnswer,
  GuardrailQuestion,
  GuardrailStanding,
  PluginGuardrail,
  PluginGuardrails,
} from '../contract.ts'
import type { Contributed, ContributedItems } from '../contributed.ts'
import { GuardrailNotFoundError } from '../errors.ts'

const usualTimeoutMs = 200
const usualHoldBack = 64

/** Asks the guardrails of plugins. */
export class PluginGuardrailBook implements PluginGuardrails {
  readonly #items: ContributedItems<AiGuardrail>
  readonly #asker: PluginAsker

  constructor(items: ContributedItems<AiGuardrail>, asker: PluginAsker) {
    this.#items = items
    this.#asker = asker
  }

  list(tenantId: number): readonly PluginGuardrail[] {
    return this.#items.list(tenantId).map(present)
  }

  find(plugin: string, code: string | undefined, tenantId: number): GuardrailStanding {
    const found = this.#items.find(plugin, code)
    if (!found) return { is: 'away' }
    const is = this.#items.standing(found, tenantId)
    return is === 'there' ? { is, guardrail: present(found) } : { is }
  }

  async judge(question: GuardrailQuestion): Promise<GuardrailAnswer> {
    const { plugin, code, phase, tenantId, model, texts, stream, timeoutMs: wallMs, traceId, signal } = question
    const found = this.#items.find(plugin, code)
    const name = found?.item.handlers[phase]
    if (!found || name === undefined || !this.#items.isOffered(found, tenantId))
      throw new GuardrailNotFoundError({ guardrail: code })
    const { release, grants } = found.plugin
    const input = stream ? { model, text: texts[0]?.text ?? '', ...stream } : { model, texts }
    const { value, cpuMs } = await this.#asker.ask({
      ...{ release, grants, tenantId, target: { kind: 'guardrail', name }, input: JSON.stringify(input) },
      ...{ wallMs, traceId, signal },
    })
    const verdict = providedAnswers.checkVerdict(
      value,
      texts.map(({ text }) => text),
    )
    return { verdict, state: (value as { readonly state?: unknown }).state ?? null, cpuMs }
  }
}

function present({ plugin, item }: Contributed<AiGuardrail>): PluginGuardrail {
  const { code, title, handlers, timeoutMs = usualTimeoutMs, onError = 'closed' } = item
  return {
    ...{ plugin: plugin.release.name, release: plugin.release.treeHash, code, title, timeoutMs, onError },
    phases: Object.keys(handlers) as GuardrailPhase[],
    holdBackChars: item.holdBackChars ?? usualHoldBack,
  }
}
