import { fieldsOf, invalidAnswer } from './fields-of.ts'

/** The targets that a router names, each once, in its order; throws 502/5029 for one that is none of the candidates. */
export function checkOrder(answer: unknown, candidates: readonly { readonly id: string }[]): readonly string[] {
  const { order } = fieldsOf(answer)
  const known = new Set(candidates.map(({ id }) => id))
  if (!Array.isArray(order) || order.length > known.size) throw invalidAnswer('order is a list of candidates')
  if (new Set(order).size < order.length || order.some((id) => !known.has(id as string)))
    throw invalidAnswer('order names each candidate once')
  return order as readonly string[]
}
