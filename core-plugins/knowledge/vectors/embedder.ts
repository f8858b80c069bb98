import { AppError } from '#kernel'
import type { AiGateway } from '../../ai/contract.ts'
import { VectorsUnfitError } from '../errors.ts'

/** Whose texts they are, and who waits. */
interface EmbedBy {
  readonly tenantId: number
  /** 0 is nobody, as with an API key of the tenant's. */
  readonly userId?: number | undefined
  readonly agentId?: string | undefined
  readonly keyId?: string | undefined
  readonly traceId: string
  readonly signal: AbortSignal
}

type Vector = readonly number[]

/** Of one text that is too long for the model so much at least is read. */
const leastCharacters = 100
const tooLong = 'context_length_exceeded'

/** Vectors of texts by a model, on the tenant's quotas. Throws what the gateway throws, and 502/5021 for vectors that are none. */
export async function embedTexts(
  gateway: Pick<AiGateway, 'embed'>,
  model: string,
  texts: readonly string[],
  by: EmbedBy,
): Promise<readonly Vector[]> {
  const { tenantId, userId = 0, agentId, keyId, traceId, signal } = by
  const spender = {
    ...{ tenantId, ...(userId !== 0 && { userId }) },
    ...{ ...(agentId !== undefined && { agentId }), ...(keyId !== undefined && { keyId }) },
  }
  try {
    const request = { model, input: texts, extra: {} }
    const { vectors } = await gateway.embed({ request, spender, purpose: 'embedding', traceId, signal })
    return checked(vectors, texts.length)
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== tooLong) throw error
    const smaller = halves(texts)
    if (!smaller) throw error
    const made: Vector[] = []
    for (const part of smaller) made.push(...(await embedTexts(gateway, model, part, by)))
    return made
  }
}

/** Fewer texts at once; of one alone its first half. */
function halves(texts: readonly string[]): readonly (readonly string[])[] | undefined {
  const [only = ''] = texts
  const middle = Math.ceil(texts.length / 2)
  if (texts.length > 1) return [texts.slice(0, middle), texts.slice(middle)]
  return only.length > leastCharacters ? [[only.slice(0, only.length / 2).toWellFormed()]] : undefined
}

function checked(vectors: readonly Vector[], count: number): readonly Vector[] {
  const dimension = vectors[0]?.length
  const isFit = (vector: Vector): boolean =>
    vector.length === dimension && vector.every(Number.isFinite) && vector.some((each) => each !== 0)
  if (vectors.length !== count || dimension === 0 || !vectors.every(isFit)) throw new VectorsUnfitError()
  return vectors
}
