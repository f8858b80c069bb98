import { Ajv, type ValidateFunction } from 'ajv'
import type { schemaParts } from '#sandbox'
import { parseJson, readStrictText } from '../package/strict-json.ts'
import { IndexInvalidError } from './errors.ts'
import { atOnce, inSlices, type Sliced } from '../in-slices.ts'

/** What a file of an index must be. */
interface FileForm<T> {
  readonly file: string
  readonly schema: schemaParts.Schema
  readonly maxBytes: number
  readonly maxDepth: number
  /** What the schema cannot say: what is wrong, in a few words. */
  readonly findProblem?: (value: T) => string | undefined
  /** The same for files of which it takes long to say, once all of it was found right otherwise. */
  readonly searchProblem?: (value: T) => Sliced<string | undefined>
  /** Parts that hold to the form where the whole does, for files that take long to check. */
  readonly split?: (value: unknown) => Iterable<unknown>
}

/** Reads one kind of file, or refuses it: without a pause, or in slices between which everything else has its turn. */
export interface FileParser<T> {
  (bytes: Buffer): T
  inSlices(bytes: Buffer): Promise<T>
}

// The schemas are constants: to compile what checks them takes longer than what they check.
const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, validateSchema: false })

/** Makes the function that reads one kind of file: bounded, every key once, nothing that the format does not name. Throws IndexInvalidError. */
export function createFileParser<T>({
  file,
  schema,
  maxBytes,
  maxDepth,
  findProblem,
  searchProblem,
  split = (value) => [value],
}: FileForm<T>): FileParser<T> {
  let compiled: ValidateFunction<T> | undefined
  function* read(bytes: Buffer): Sliced<T> {
    const refuse = (rule: string, problem: string) =>
      new IndexInvalidError({ file, problem }, { details: { file, rule, problem } })
    if (bytes.length > maxBytes) throw refuse('size', `it is larger than ${maxBytes} bytes`)
    const text = yield* readStrictText(bytes, maxDepth)
    yield
    const value = parseJson(text)
    if (value === undefined) throw refuse('json', 'it is not JSON in UTF-8 that gives every key once and nests little')
    // Compiled for the first file, so that a start which reads none does not wait for it.
    const isValid = (compiled ??= ajv.compile<T>(schema))
    for (const part of split(value)) {
      yield
      if (!isValid(part)) {
        const [fault] = isValid.errors ?? []
        throw refuse('form', `${fault?.instancePath || '/'} ${fault?.message ?? 'has another form'}`.slice(0, 300))
      }
      const problem = findProblem?.(part)
      if (problem !== undefined) throw refuse('rule', problem)
    }
    const problem = searchProblem && (yield* searchProblem(value as T))
    if (problem !== undefined) throw refuse('rule', problem)
    // Every part of it was seen to be as the form says.
    return value as T
  }
  return Object.assign((bytes: Buffer) => atOnce(read(bytes)), { inSlices: (bytes: Buffer) => inSlices(read(bytes)) })
}
