import type { FieldError } from '#kernel'
import type { AiModelInfo } from '../../ai/contract.ts'
import type { BaseWish } from './wishes.ts'

/** The model that a knowledge base has vectors by, unless somebody says which: the newest that the tenant may use. */
export function newestEmbedding(models: readonly AiModelInfo[]): string | null {
  const [newest] = models.filter(({ kind }) => kind === 'embedding').sort((a, b) => (a.id < b.id ? 1 : -1))
  return newest?.name ?? null
}

/** A model that the tenant does not have, or that makes no vectors. */
export function modelFaults(
  { embedding_model: name }: BaseWish,
  models: readonly AiModelInfo[],
): readonly FieldError[] {
  const isKnown = (name ?? null) === null || models.some((model) => model.kind === 'embedding' && model.name === name)
  const message = 'is no model that makes vectors'
  return isKnown ? [] : [{ field: 'embedding_model', rule: 'known_embedding_model', message }]
}
