import { data, type Reply } from '#kernel'
import type { PluginManifest } from '../../manifest/plugin-manifest.ts'
import { checkVerdict } from '../../plugin/provided/guardrail-verdict.ts'
import {
  checkEmbeddings,
  checkMeaning,
  checkModels,
  checkRequest,
  checkTest,
} from '../../plugin/provided/provider-answers.ts'
import { checkDeltas } from '../../plugin/provided/provider-deltas.ts'
import { checkOrder } from '../../plugin/provided/router-order.ts'
import type { CallTarget } from '../../wire/call.ts'
import type { Json } from '../../capabilities/json.ts'
import type { ProvidedName } from './provided-name.ts'

/** A function that the gateway calls: where it is, whether it is pure, and its answer as the platform takes it. */
export interface ProvidedCall {
  readonly target: CallTarget
  readonly isPure: boolean
  readonly wallMs: number
  readonly cpuMs?: number
  readonly present: (text: string) => Reply
}

const checks = {
  ...{ request: checkRequest, chunk: checkDeltas, error: checkMeaning, models: checkModels, test: checkTest },
  embeddings: checkEmbeddings,
}
const mappingMs = 2_000
const guardrailMs = 200
const router = { wallMs: 250, cpuMs: 5 }

/** The call of such a function with this input; undefined where the manifest has none. */
export function providedCall(
  { provides = {} }: PluginManifest,
  wanted: ProvidedName,
  input: Json,
): ProvidedCall | undefined {
  const { aiProviders = [], aiGuardrails = [], aiRouters = [] } = provides
  const parse = (check: (answer: unknown) => unknown) => (text: string) => data(check(JSON.parse(text)))
  if ('provider' in wanted) {
    const name = aiProviders.find(({ code }) => code === wanted.provider)?.handlers[wanted.mapping]
    const present = parse(checks[wanted.mapping])
    return name === undefined
      ? undefined
      : { target: { kind: 'provider', name }, isPure: true, wallMs: mappingMs, present }
  }
  if ('guardrail' in wanted) {
    const found = aiGuardrails.find(({ code }) => code === wanted.guardrail)
    const name = found?.handlers[wanted.phase]
    const present = parse((answer) => checkVerdict(answer, textsOf(input)))
    const wallMs = found?.timeoutMs ?? guardrailMs
    return name === undefined ? undefined : { target: { kind: 'guardrail', name }, isPure: false, wallMs, present }
  }
  const found = aiRouters.find(({ code }) => code === wanted.router)
  const { candidates = [] } = input as { readonly candidates?: readonly { readonly id: string }[] }
  const present = parse((answer) => checkOrder(answer, candidates))
  return found && { target: { kind: 'router', name: found.handler }, isPure: true, ...router, present }
}

function textsOf(input: Json): readonly string[] {
  const { texts, text } = input as { readonly texts?: readonly { readonly text: string }[]; readonly text?: string }
  return texts?.map((each) => each.text) ?? [text ?? '']
}
