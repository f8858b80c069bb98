import type { PluginGuardrails } from '../../plugin-offers/contract.ts'
import { CallGuard } from './call-guard.ts'
import { Judge, type JudgedCall } from './judge.ts'
import type { ActiveRule, GuardRule } from './types.ts'

/** What is not known of a guardrail whose plugin is away. */
const absent = { timeoutMs: 200, onError: 'closed', holdBackChars: 0, release: undefined } as const

/** The guardrails of the gateway. */
export class Guards {
  readonly #plugins: PluginGuardrails
  readonly #rules: () => readonly GuardRule[]

  constructor(plugins: PluginGuardrails, rules: () => readonly GuardRule[]) {
    this.#plugins = plugins
    this.#rules = rules
  }

  /** Those that hold for a call; undefined where none does, which costs nothing. */
  of(call: JudgedCall): CallGuard | undefined {
    const rules = this.#rules().flatMap((rule) => this.#active(rule, call.tenantId))
    return rules.length === 0 ? undefined : new CallGuard(rules, new Judge(this.#plugins, call))
  }

  #active(rule: GuardRule, tenantId: number): readonly ActiveRule[] {
    const standing = this.#plugins.find(rule.plugin, rule.guardrail, tenantId)
    if (standing.is === 'elsewhere') return []
    const known = standing.is === 'there' ? standing.guardrail : { ...absent, code: rule.guardrail ?? '' }
    const { code, timeoutMs, onError, holdBackChars, release } = known
    return [
      {
        ...{ name: code === '' ? rule.plugin : `${rule.plugin}/${code}`, plugin: rule.plugin, code, mode: rule.mode },
        ...{ phases: new Set(rule.phase), onError: rule.onError ?? onError, timeoutMs: rule.timeoutMs ?? timeoutMs },
        ...{ holdBackChars, release },
      },
    ]
  }
}
