import { isObject } from '../wire/json.ts'
import type { NeutralMessage, NeutralPart, NeutralReasoning, NeutralRequest, NeutralTool } from '../wire/neutral.ts'
import type { RoledText } from './cut-texts.ts'

/** What a text is told as. */
type Tell = (text: string, role: string) => string

/** What a JSON schema says in words, to whoever reads it: JSON Schema 2020-12, sections 9 and 6.1. */
const words: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'const', 'enum', '$comment'],
])

/** The texts of a request that go to a model, in the order of `tellRequest`; pictures, files and sealed thoughts are none. */
export function textsOf(request: NeutralRequest): readonly RoledText[] {
  const texts: RoledText[] = []
  tellRequest(request, (text, role) => {
    texts.push({ role, text })
    return text
  })
  return texts
}

/**
 * The request with each of its texts as it is told: of messages, of tools and what their schemas say, of the form of the answer, and of fields
 * that the dialect does not name. What nobody changed is the same object as before, which vendors of the same wire take over as it was sent.
 */
export function tellRequest(request: NeutralRequest, tell: Tell): NeutralRequest {
  const { messages, tools, format, extra } = request
  const definitions: Tell = (text) => tell(text, 'system')
  return {
    ...request,
    messages: each(messages, (message) => tellMessage(message, tell)),
    ...(tools && { tools: each(tools, (tool) => tellTool(tool, definitions)) }),
    ...(format?.type === 'json_schema' && {
      format: changed(format, {
        ...(format.description !== undefined && { description: definitions(format.description, 'system') }),
        schema: tellWords(format.schema, definitions),
      }),
    }),
    extra: tellMembers(extra, (value) => tellLeaves(value, (text) => tell(text, 'user'))),
  }
}

function tellMessage(message: NeutralMessage, tell: Tell): NeutralMessage {
  return changed(message, { parts: tellParts(message.parts, (text) => tell(text, message.role)) })
}

function tellParts(parts: readonly NeutralPart[], tell: (text: string) => string): readonly NeutralPart[] {
  return each(parts, (part): NeutralPart => {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return changed(part, { text: tell(part.text) })
      case 'tool_call':
        return changed(part, { arguments: tell(part.arguments) })
      case 'tool_result':
        return changed(part, { parts: tellParts(part.parts, tell) })
      case 'reasoning':
        return tellThought(part, tell)
      default:
        return part
    }
  })
}

/** A thought under the seal of a vendor that checks it is what that vendor's model said; any other may be the client's own words. */
function tellThought(thought: NeutralReasoning, tell: (text: string) => string): NeutralReasoning {
  const { vendor, text, signature, encrypted } = thought
  const isSealed = vendor !== 'openai_compatible' && (signature !== undefined || encrypted !== undefined)
  if (isSealed || text === undefined) return thought
  const told = tell(text)
  return told === text ? thought : { type: 'reasoning', vendor, text: told }
}

function tellTool(tool: NeutralTool, tell: Tell): NeutralTool {
  const { description, schema } = tool
  return changed(tool, {
    ...(description !== undefined && { description: tell(description, 'system') }),
    schema: tellMembers(schema, (value, name) => tellMember(value, name, tell)),
  })
}

function tellWords(value: unknown, tell: Tell): unknown {
  if (Array.isArray(value)) return each(value as readonly unknown[], (one) => tellWords(one, tell))
  return isObject(value) ? tellMembers(value, (member, name) => tellMember(member, name, tell)) : value
}

function tellMember(value: unknown, name: string, tell: Tell): unknown {
  return words.has(name) ? tellLeaves(value, (text) => tell(text, 'system')) : tellWords(value, tell)
}

function tellLeaves(value: unknown, tell: (text: string) => string): unknown {
  if (typeof value === 'string') return tell(value)
  if (Array.isArray(value)) return each(value as readonly unknown[], (one) => tellLeaves(one, tell))
  return isObject(value) ? tellMembers(value, (member) => tellLeaves(member, tell)) : value
}

function tellMembers<T extends Readonly<Record<string, unknown>>>(
  members: T,
  tell: (value: unknown, name: string) => unknown,
): T {
  const told = Object.entries(members).map(([name, value]) => [name, tell(value, name)] as const)
  return told.every(([name, value]) => value === members[name]) ? members : (Object.fromEntries(told) as T)
}

function each<T>(list: readonly T[], tell: (one: T) => T): readonly T[] {
  const told = list.map(tell)
  return told.every((one, at) => one === list[at]) ? list : told
}

function changed<T extends object>(whole: T, members: Partial<T>): T {
  return Object.entries(members).every(([name, value]) => value === whole[name as keyof T])
    ? whole
    : { ...whole, ...members }
}
