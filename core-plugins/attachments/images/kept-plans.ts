import { ExpiringMap } from '#kernel'
import type { Attachment } from '../models.ts'
import { decide, type Decision } from './decision.ts'
import { derivedKey } from './derived-key.ts'
import type { ImageParameters } from './parameters.ts'
import type { ImageConfiguration } from './settings.ts'

const mostKept = 10_000
const keptMs = 60_000

/** What a request comes to, and the key of the image where one is made. */
export type KeyedDecision =
  Extract<Decision, { kind: 'original' }> | (Extract<Decision, { kind: 'derived' }> & { readonly key: string })

interface KeptPlan {
  readonly attachment: Attachment
  readonly configuration: ImageConfiguration
  readonly decision: KeyedDecision
}

/** What requests come to, for as long as the record and the configuration that it follows from are the same objects. */
export class KeptPlans {
  readonly #kept = new ExpiringMap<string, KeptPlan>(mostKept)

  /** `canonical` is all of `asked` as one text. Throws as `decide` does. */
  of(
    attachment: Attachment,
    { asked, canonical }: { readonly asked: ImageParameters; readonly canonical: string },
    configuration: ImageConfiguration,
  ): KeyedDecision {
    const name = `${attachment.id}?${canonical}`
    const kept = this.#kept.get(name)
    if (kept?.attachment === attachment && kept.configuration === configuration) return kept.decision
    const decision = keyed(attachment, asked, configuration)
    this.#kept.set(name, { attachment, configuration, decision }, keptMs)
    return decision
  }
}

function keyed(attachment: Attachment, asked: ImageParameters, configuration: ImageConfiguration): KeyedDecision {
  const { mimeType, size, width, height, frames, hash } = attachment
  const decision = decide(asked, { mimeType, size: Number(size), width, height, frames }, configuration)
  return decision.kind === 'original' ? decision : { ...decision, key: derivedKey(hash, decision.plan, configuration) }
}
