import { isObject, type JsonObject } from '../json.ts'
import { UpstreamFaultError } from '../vendor.ts'

/** What a vendor says must be a JSON object; throws an UpstreamFaultError for what is none. */
export function parseSaid(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Told below, like whatever else is no object.
  }
  throw unreadable('What the provider sent is no JSON object')
}

/** The object that a body is, or nothing: for what is looked at if it is there. */
export function glanceAt(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** An answer that makes no sense. */
export function unreadable(message: string): UpstreamFaultError {
  return new UpstreamFaultError({ class: 'bad_response', status: 0, message })
}

/** A number of tokens; what makes no sense is none. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** A text, or ''. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
