import { randomBytes } from 'node:crypto'

/** Where an event stands in the one order of all events: milliseconds, and a count within them below 4096. */
export interface Position {
  readonly milliseconds: number
  readonly count: number
}

/** How many events fit into a millisecond; the next one takes the millisecond after. */
const countsPerMillisecond = 4096

const form = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** A UUIDv7 whose time and count are the position (RFC 9562, section 6.2, method 1), so that ids sort as events were written. */
export function eventId({ milliseconds, count }: Position, tail: string): string {
  const time = milliseconds.toString(16).padStart(12, '0')
  const within = count.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${within}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

/** What makes the id of a position one that nobody guesses: the last sixteen digits. */
export function createTail(): string {
  return `8${randomBytes(8).toString('hex').slice(1)}`
}

/** The greatest id of a position: after its event, and before every later one. */
export function idAfter(position: Position): string {
  return eventId(position, 'bfffffffffffffff')
}

/** The position in an id; undefined for what is no UUIDv7. */
export function positionOf(id: string): Position | undefined {
  if (!form.test(id)) return undefined
  return { milliseconds: parseInt(id.slice(0, 8) + id.slice(9, 13), 16), count: parseInt(id.slice(15, 18), 16) }
}

/** The position after another, at this time. */
export function nextPosition(last: Position, now: number): Position {
  if (now > last.milliseconds) return { milliseconds: now, count: 0 }
  const count = last.count + 1
  if (count < countsPerMillisecond) return { milliseconds: last.milliseconds, count }
  return { milliseconds: last.milliseconds + 1, count: 0 }
}
