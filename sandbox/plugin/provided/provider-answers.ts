import { fieldsOf, invalidAnswer as invalid } from './fields-of.ts'

const nameForm = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
/** Of the connection, which is the host's. */
const reserved =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|cookie|proxy-.*|sec-.*)$/
const visible = /^[\x20-\x7e]*$/
const maxHeaders = 32
const maxHeaderCharacters = 8_192
/** Below the base URL: neither another host nor upwards. */
const pathForm = /^\/(?!\/)[A-Za-z0-9._~!$&'()*+,;=:@%/-]*(\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$/
const maxPath = 2_048
const maxModels = 2_000
const maxVectors = 2_048
const maxText = 1_000

/** A request with all of its parts. */
interface CheckedRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a plugin wants to be sent; placeholders still stand in the headers. */
export function checkRequest(answer: unknown): CheckedRequest {
  const { method = 'POST', path, headers = {}, body = null } = fieldsOf(answer)
  if (method !== 'GET' && method !== 'POST') throw invalid('method is GET or POST')
  if (typeof path !== 'string' || path.length > maxPath || !pathForm.test(path) || climbs(path))
    throw invalid('path is a path below the base URL')
  return { method, path, headers: checkHeaders(headers), body }
}

/** What an error means. */
export function checkMeaning(answer: unknown) {
  const { class: kind, message, retryAfterSeconds: seconds } = fieldsOf(answer)
  if (typeof kind !== 'string' || !/^[a-z][a-z0-9_]{0,39}$/.test(kind)) throw invalid('class is a short name')
  if (seconds !== undefined && !(typeof seconds === 'number' && seconds >= 0 && seconds <= 86_400))
    throw invalid('retryAfterSeconds is a number up to a day')
  return {
    class: kind,
    ...(typeof message === 'string' && { message: message.slice(0, maxText) }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  }
}

/** A list of models. */
export function checkModels(answer: unknown): readonly { readonly id: string; readonly name?: string }[] {
  const { models } = fieldsOf(answer)
  if (!Array.isArray(models) || models.length > maxModels) throw invalid(`models is a list of at most ${maxModels}`)
  return models.map((model: unknown) => {
    const { id, name } = fieldsOf(model)
    if (typeof id !== 'string' || id === '' || id.length > 200) throw invalid('a model has an id')
    return { id, ...(typeof name === 'string' && { name: name.slice(0, 200) }) }
  })
}

/** Vectors of numbers, one for each of so many texts and all of one length. */
export function checkEmbeddings(answer: unknown): {
  readonly vectors: readonly (readonly number[])[]
  readonly inputTokens?: number
} {
  const { vectors, inputTokens } = fieldsOf(answer)
  if (!Array.isArray(vectors) || vectors.length > maxVectors)
    throw invalid(`vectors is a list of at most ${maxVectors}`)
  const [first] = vectors as readonly unknown[]
  const length = Array.isArray(first) ? first.length : 0
  for (const vector of vectors as readonly unknown[]) {
    if (!Array.isArray(vector) || vector.length === 0 || vector.length !== length || !vector.every(Number.isFinite))
      throw invalid('a vector is a list of numbers, and as long as the others')
  }
  const isCount = typeof inputTokens === 'number' && Number.isSafeInteger(inputTokens) && inputTokens >= 0
  return { vectors: vectors as number[][], ...(isCount && { inputTokens }) }
}

/** What a test found. */
export function checkTest(answer: unknown): { readonly ok: boolean; readonly detail?: string } {
  const { ok, detail } = fieldsOf(answer)
  if (typeof ok !== 'boolean') throw invalid('ok is true or false')
  return { ok, ...(typeof detail === 'string' && { detail: detail.slice(0, maxText) }) }
}

function checkHeaders(headers: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(fieldsOf(headers)).map(([name, value]): [string, string] => {
    if (typeof value !== 'string' || !visible.test(value)) throw invalid('a header is a text of visible characters')
    return [name.toLowerCase(), value]
  })
  const length = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (entries.length > maxHeaders || length > maxHeaderCharacters)
    throw invalid(`headers are at most ${maxHeaders} and ${maxHeaderCharacters} characters`)
  if (entries.some(([name]) => !nameForm.test(name) || reserved.test(name)))
    throw invalid('a header has a name that is not the connection’s')
  return Object.fromEntries(entries)
}

/** Also where the dots are written in hexadecimal, which servers read back. */
function climbs(path: string): boolean {
  const [below = ''] = path.split('?')
  return below.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)) || /%(2f|5c|00)/i.test(below)
}
