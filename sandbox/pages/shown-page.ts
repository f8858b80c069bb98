const making = /shadowrootmode/gi
/** Of as many letters, so that a page stays as long as it was signed. */
const inert = 'shadowrootm0de'

/**
 * The bytes of a page as browsers get them: those that were signed, but that its text makes no shadow root (`<template
 * shadowrootmode>`). Into a closed one nobody sees, who has to know which frames there are (sandbox/sdk/ui/nested-frames.ts). The names
 * of attributes have no other spelling, and pages go out as UTF-8.
 */
export async function* shownPage(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = ''
  for await (const chunk of content) {
    const text = shownText(rest + chunk.toString('latin1'))
    const end = Math.max(text.length - inert.length + 1, 0)
    rest = text.slice(end)
    yield Buffer.from(text.slice(0, end), 'latin1')
  }
  yield Buffer.from(rest, 'latin1')
}

/** The same of a text that is whole. */
export function shownText(html: string): string {
  return html.replaceAll(making, inert)
}
