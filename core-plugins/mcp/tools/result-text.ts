import { isObject, type JsonObject } from '../wire/json-rpc.ts'

/** More than a model is told of a result anyway. */
const mostCharacters = 131_072
const mostBlocks = 500

/** What a tool answered, as text for a model to read: data, of which nothing is fetched. */
export function resultText({ content, structuredContent }: JsonObject): string {
  const blocks = Array.isArray(content) ? (content as readonly unknown[]).slice(0, mostBlocks) : []
  const texts = blocks.flatMap((block) => (isObject(block) ? [textOf(block)] : []))
  const isTold = texts.some((text) => text !== '')
  const text = isTold || structuredContent === undefined ? texts.join('\n') : printed(structuredContent)
  return text.slice(0, mostCharacters).toWellFormed()
}

function textOf(block: JsonObject): string {
  const { type, text, data, mimeType, uri, name, resource } = block
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : ''
    case 'image':
    case 'audio':
      return `[${type}, ${typeof mimeType === 'string' ? mimeType : 'unknown'}, ${String(bytesOf(data))} bytes: not shown]`
    case 'resource_link':
      return `[link: ${plain(name)} ${plain(uri)}]`
    case 'resource':
      return isObject(resource) && typeof resource['text'] === 'string' ? resource['text'] : '[file: not shown]'
    default:
      return ''
  }
}

function bytesOf(data: unknown): number {
  return typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 500) : ''
}

function printed(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    return ''
  }
}
