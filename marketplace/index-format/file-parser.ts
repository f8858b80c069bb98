import { Ajv, type ValidateFunction } from 'ajv'
import type { schemaParts } from '#sandbox'
import { parseStrictJson } from '../package/strict-json.ts'
import { IndexInvalidError } from './errors.ts'

/** What a file of an index must be. */
export interface FileForm<T> {
  readonly file: string
  readonly schema: schemaParts.Schema
  readonly maxBytes: number
  readonly maxDepth: number
  /** What the schema cannot say: what is wrong, in a few words. */
  readonly findProblem?: (value: T) => string | undefined
}

const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false })

/** Makes the function that reads one kind of file: bounded, every key once, nothing that the format does not name. Throws IndexInvalidError. */
export function createFileParser<T>({
  file,
  schema,
  maxBytes,
  maxDepth,
  findProblem,
}: FileForm<T>): (bytes: Buffer) => T {
  let compiled: ValidateFunction<T> | undefined
  return (bytes) => {
    const refuse = (rule: string, problem: string) =>
      new IndexInvalidError({ file, problem }, { details: { file, rule, problem } })
    if (bytes.length > maxBytes) throw refuse('size', `it is larger than ${maxBytes} bytes`)
    const value = parseStrictJson(bytes, maxDepth)
    if (value === undefined) throw refuse('json', 'it is not JSON in UTF-8 that gives every key once and nests little')
    // Compiled for the first file, so that a start which reads none does not wait for it.
    const isValid = (compiled ??= ajv.compile<T>(schema))
    if (!isValid(value)) {
      const [fault] = isValid.errors ?? []
      throw refuse('form', `${fault?.instancePath || '/'} ${fault?.message ?? 'has another form'}`.slice(0, 300))
    }
    const problem = findProblem?.(value)
    if (problem !== undefined) throw refuse('rule', problem)
    return value
  }
}
