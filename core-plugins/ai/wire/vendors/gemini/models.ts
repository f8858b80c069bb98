import { isObject } from '../../json.ts'
import { parseSaid, unreadable, wordOf } from '../said.ts'

/** The names of a list of models, without the folder that they stand in. */
export function readGeminiModels(body: string): readonly string[] {
  const { models } = parseSaid(body)
  if (!Array.isArray(models)) throw unreadable('The answer is no list of models')
  return models.filter(isObject).map(({ name }) => wordOf(name).replace(/^models\//, ''))
}
