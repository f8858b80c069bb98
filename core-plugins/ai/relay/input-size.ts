import type { NeutralEmbeddingRequest, NeutralPart, NeutralRequest, NeutralTool } from '../wire/neutral.ts'

/** How large the input of a request is, in tokens. */
export interface InputSize {
  /** No tokenizer makes more: byte-level pairs never make more tokens than there are bytes. */
  readonly atMost: number
  /** About as many as there are. */
  readonly about: number
  /** Pictures and files are taken for what they usually are: the bound is none then. */
  readonly hasMedia: boolean
  readonly images: number
}

/** For roles, separators and whatever else a vendor writes around a message or a tool. */
const around = 16
/** Vendors scale pictures down before they count them; the largest published figures are near this. */
const imageTokens = 2_000
/** A page of a document, text and picture, and the bytes of one. */
const fileTokensPerByte = 0.25
const audioTokensPerByte = 0.05

/** Adds up bytes and what is not text. */
class Sum {
  bytes = 0
  extra = 0
  hasMedia = false
  images = 0

  text(text: string | undefined): void {
    if (text !== undefined) this.bytes += Buffer.byteLength(text)
  }

  media(tokens: number): void {
    this.extra += Math.ceil(tokens)
    this.hasMedia = true
  }

  get size(): InputSize {
    const { bytes, extra, hasMedia, images } = this
    return { atMost: bytes + extra, about: Math.ceil(bytes / 3.6) + extra, hasMedia, images }
  }
}

/** The size of a conversation with its tools, and of whatever else is told. */
export function sizeOfChat({ messages, tools, format, extra }: NeutralRequest): InputSize {
  const sum = new Sum()
  for (const { parts, name } of messages) {
    sum.bytes += around
    sum.text(name)
    for (const part of parts) addPart(sum, part)
  }
  for (const tool of tools ?? []) addTool(sum, tool)
  if (format?.type === 'json_schema') {
    sum.text(format.description)
    sum.text(JSON.stringify(format.schema))
  }
  // What the dialect does not name goes out too, and a vendor may read it to the model.
  if (Object.keys(extra).length > 0) sum.text(JSON.stringify(extra))
  return sum.size
}

/** The size of texts to be embedded. */
export function sizeOfTexts({ input }: NeutralEmbeddingRequest): InputSize {
  const sum = new Sum()
  for (const text of input) {
    sum.bytes += around
    if (typeof text === 'string') sum.text(text)
    else sum.extra += text.length
  }
  return sum.size
}

/** About how many tokens a text is: a quarter of its letters in ASCII, a third of the bytes of others. */
export function tokensOf(text: string): number {
  const bytes = Buffer.byteLength(text)
  // Of characters beyond ASCII UTF-8 has two bytes or more for each of JavaScript's.
  const beyond = Math.min(text.length, bytes - text.length)
  return (text.length - beyond) / 4 + (bytes - (text.length - beyond)) / 3
}

function addTool(sum: Sum, { name, description, schema }: NeutralTool): void {
  sum.bytes += around
  sum.text(name)
  sum.text(description)
  sum.text(JSON.stringify(schema))
}

function addPart(sum: Sum, part: NeutralPart): void {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return sum.text(part.text)
    case 'image':
      sum.images++
      return sum.media(imageTokens)
    case 'audio':
      return sum.media(part.base64.length * audioTokensPerByte)
    case 'file':
      return sum.media(part.source.kind === 'data' ? part.source.base64.length * fileTokensPerByte : 20_000)
    case 'tool_call':
      sum.bytes += around
      sum.text(part.id)
      sum.text(part.name)
      return sum.text(part.arguments)
    case 'tool_result':
      sum.bytes += around
      sum.text(part.callId)
      for (const each of part.parts) addPart(sum, each)
      return
    case 'reasoning':
      sum.text(part.text)
      sum.text(part.signature)
      return sum.text(part.encrypted)
  }
}
