import type { NeutralEvent } from '../wire/neutral.ts'

/** What a step of an answer says; '' where it says nothing. */
export function saidIn(event: NeutralEvent): string {
  switch (event.type) {
    case 'text':
    case 'refusal':
      return event.text
    case 'reasoning':
      return event.text ?? ''
    case 'tool_call':
      return event.arguments ?? ''
    default:
      return ''
  }
}

/** The step with another text: what was made over the old one goes. */
export function sayInstead(event: NeutralEvent, text: string): NeutralEvent {
  switch (event.type) {
    case 'text':
    case 'refusal':
      return { type: event.type, text }
    case 'reasoning': {
      const { signature, encrypted, ...rest } = event
      return signature === undefined && encrypted === undefined ? { ...event, text } : { ...rest, text }
    }
    case 'tool_call':
      return { ...event, arguments: text }
    default:
      return event
  }
}

/** The step in two: the head with what names it, the rest with what ends it. */
export function cutSaid(event: NeutralEvent, at: number): readonly [head: NeutralEvent, rest: NeutralEvent] {
  const text = saidIn(event)
  const [head, rest] = [text.slice(0, at), text.slice(at)]
  switch (event.type) {
    case 'reasoning': {
      const { type, vendor, id } = event
      return [
        { type, vendor, text: head, ...(id !== undefined && { id }) },
        { ...event, text: rest },
      ]
    }
    case 'tool_call':
      return [
        { ...event, arguments: head },
        { type: 'tool_call', index: event.index, arguments: rest },
      ]
    case 'text':
    case 'refusal':
      return [
        { type: event.type, text: head },
        { type: event.type, text: rest },
      ]
    default:
      return [event, event]
  }
}
