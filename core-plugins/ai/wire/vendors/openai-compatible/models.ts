import { isObject } from '../../json.ts'
import { parseSaid, unreadable } from '../said.ts'

/** The ids of a list of models. */
export function readModelIds(body: string): readonly string[] {
  const { data } = parseSaid(body)
  if (!Array.isArray(data)) throw unreadable('The answer is no list of models')
  return data.flatMap((model: unknown) => (isObject(model) && typeof model['id'] === 'string' ? [model['id']] : []))
}
