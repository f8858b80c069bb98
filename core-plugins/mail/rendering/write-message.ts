import type { Locale } from '#kernel'
import type { MessageTemplate } from '../contract.ts'
import type { MessageText } from '../drivers/driver.ts'
import { wordsOf } from '../templates/languages.ts'
import { htmlPage, type Paragraph } from './html-page.ts'

type Values = ReadonlyMap<string, string>

/** Puts values into the words of a template. */
export function writeMessage(template: MessageTemplate, locale: Locale, values: Values): Omit<MessageText, 'sender'> {
  const { greetings, closings, sms, space, texts } = wordsOf(locale)
  const words = texts[template]
  const subject = fillFirst(typeof words.subject === 'string' ? [words.subject] : words.subject, values)
  const paragraphs: readonly Paragraph[] = [
    { kind: 'text', text: fillFirst(greetings, values) },
    ...words.email
      .filter((paragraph) => isFilled(paragraph, values))
      .flatMap((paragraph) => paragraph.split('\n').map((line) => paragraphOf(line, values))),
  ]
  const closing = fillFirst(closings, values)
  const sentences = words.sms.filter((line) => isFilled(line, values)).map((line) => fill(line, values))
  return {
    subject,
    text: `${[...paragraphs.map(({ text }) => text), `-- \n${closing}`].join('\n\n')}\n`,
    html: htmlPage(locale, subject, paragraphs, closing),
    sms: fill(sms, new Map([...values, ['text', sentences.join(space)]])),
  }
}

function paragraphOf(line: string, values: Values): Paragraph {
  const kind = line === '{code}' ? 'code' : line === '{link}' ? 'link' : 'text'
  return { kind, text: fill(line, values) }
}

function fillFirst(lines: readonly string[], values: Values): string {
  return fill(lines.find((line) => isFilled(line, values)) ?? '', values)
}

/** Once, so that a value in braces stays what it is. */
function fill(line: string, values: Values): string {
  return line.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '')
}

function isFilled(line: string, values: Values): boolean {
  return [...line.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => values.has(name))
}
