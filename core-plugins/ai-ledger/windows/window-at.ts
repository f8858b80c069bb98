import { calendarWindow } from '#kernel'
import type { Span, Window } from './span.ts'

const always: Window = { from: new Date(0), to: undefined }
/** By time zone and unit, the last window asked for: most ask for the present one. */
const present = new Map<string, Window>()

/** The window of a span that a moment lies in. */
export function windowAt(span: Span, at: Date): Window {
  const time = at.getTime()
  switch (span.kind) {
    case 'total':
      return always
    case 'fixed': {
      const length = span.seconds * 1000
      const from = Math.floor(time / length) * length
      return { from: new Date(from), to: new Date(from + length) }
    }
    case 'sliding':
      return { from: new Date(time - span.seconds * 1000), to: new Date(time) }
    case 'calendar': {
      const key = `${span.unit} ${span.tz}`
      const known = present.get(key)
      if (known && at >= known.from && known.to && at < known.to) return known
      const found = calendarWindow(span.unit, span.tz, at)
      present.set(key, found)
      return found
    }
  }
}
