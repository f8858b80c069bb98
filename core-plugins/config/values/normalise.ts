import type { ConfigType } from '#kernel'
import { normaliseColour } from './colour.ts'
import { sanitiseHtml } from './sanitise-html.ts'

/** What a value of a type looks like, for the sentence of a fault. */
export const expectedOf: Readonly<Record<ConfigType, string>> = {
  STRING: 'a string',
  NUMBER: 'a finite number',
  BOOLEAN: 'true or false',
  SELECT: 'a string or a number',
  MULTI_SELECT: 'a list of strings or numbers',
  JSON: 'an object or a list',
  TEXT: 'a string',
  HTML: 'a string',
  PASSWORD: 'a string',
  COLOR: 'a colour such as #1a2b3c',
  IMAGE: 'an attachment id or an http(s) URL',
  FILE: 'an attachment id or an http(s) URL',
  TAG: 'a list of strings',
}

/** What stands for a value that is left empty. */
export const emptyOf: Readonly<Record<ConfigType, unknown>> = {
  STRING: '',
  NUMBER: null,
  BOOLEAN: null,
  SELECT: '',
  MULTI_SELECT: [],
  JSON: null,
  TEXT: '',
  HTML: '',
  PASSWORD: '',
  COLOR: '',
  IMAGE: '',
  FILE: '',
  TAG: [],
}

const normalisers: Readonly<Record<ConfigType, (value: unknown) => unknown>> = {
  STRING: (value) => (typeof value === 'string' ? value.trim() : undefined),
  NUMBER: toNumber,
  BOOLEAN: toBoolean,
  SELECT: toScalar,
  MULTI_SELECT: (value) => toUniqueList(value, toScalar),
  JSON: toJson,
  TEXT: (value) => (typeof value === 'string' ? value : undefined),
  HTML: (value) => (typeof value === 'string' ? sanitiseHtml(value) : undefined),
  PASSWORD: (value) => (typeof value === 'string' ? value : undefined),
  COLOR: (value) => (typeof value === 'string' ? normaliseColour(value) : undefined),
  IMAGE: toReference,
  FILE: toReference,
  TAG: (value) => toUniqueList(value, (entry) => (typeof entry === 'string' ? entry.trim() : undefined)),
}

/** A value in the form of its type, or undefined when it has none; null and blank text are the type's empty value. */
export function normaliseValue(type: ConfigType, value: unknown): unknown {
  if (value === null) return emptyOf[type]
  if (!isStorable(value)) return undefined
  if (typeof value === 'string' && value.trim() === '' && type !== 'TEXT' && type !== 'PASSWORD') return emptyOf[type]
  return normalisers[type](value)
}

/** Whether a normalised value counts as empty: null, empty text, an empty collection or map. */
export function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** PostgreSQL's JSON, in which audit rows keep values, takes neither NUL nor half a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isStorable(inner))
}

function toNumber(value: unknown): number | undefined {
  const isDecimal = typeof value === 'string' && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)
  const number = typeof value === 'number' || isDecimal ? Number(value) : Number.NaN
  // Adding zero turns -0, which JSON cannot say, into 0.
  return Number.isFinite(number) ? number + 0 : undefined
}

function toBoolean(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value
  if (word === true || word === 1 || word === 'true' || word === '1' || word === 'on') return true
  if (word === false || word === 0 || word === 'false' || word === '0' || word === 'off') return false
  return undefined
}

function toScalar(value: unknown): string | number | undefined {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? toNumber(value) : undefined
}

function toUniqueList(value: unknown, normalise: (entry: unknown) => string | number | undefined): unknown {
  if (!Array.isArray(value)) return undefined
  const entries = value.map((entry) => normalise(entry))
  return entries.includes(undefined) ? undefined : [...new Set(entries.filter((entry) => entry !== ''))]
}

function toJson(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parse(value) : value
  if (!isStorable(parsed)) return undefined
  // Through text and back, so that what is stored is what was compared.
  return typeof parsed === 'object' && parsed !== null ? parse(JSON.stringify(parsed)) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function toReference(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase()
  return ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '') ? text : undefined
}
