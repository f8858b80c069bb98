import type { Report } from '../fault.ts'
import { paragraphsOf, placeholdersOf, withoutPlaceholders } from '../mail-template.ts'
import type { MailTemplate } from '../plugin-manifest.ts'
import { reportDuplicates, type Rule } from './rule.ts'

const mostParagraphs = 20
const mostOfParagraph = 1_000
const markup = /<[a-z!/?]|&#?\w+;/i
/** What a mail program would make a link of. */
const link = /:\/\/|[\p{L}\p{N}-]\.\p{L}{2,}/u

/** Templates of e-mails are texts, whole in each language, and lead nowhere but to the plugin's pages. */
export const mail: Rule = {
  reads: ['mail'],
  check({ mail: { templates = [] } = {} }, report) {
    reportDuplicates(
      templates,
      ({ name }) => name,
      (index) => report(`mail.templates.${index}.name`, 'unique', 'This name is used twice.'),
    )
    templates.forEach((template, index) => checkTemplate(`mail.templates.${index}`, template, report))
  },
}

function checkTemplate(field: string, { subject, body, values = [] }: MailTemplate, report: Report): void {
  const used = new Set<string>()
  for (const [part, texts, other] of [['subject', subject, body] as const, ['body', body, subject] as const]) {
    for (const locale of Object.keys(other))
      if (!Object.hasOwn(texts, locale))
        report(`${field}.${part}.${locale}`, 'required', 'Say it in this language too.')
    for (const [locale, text] of Object.entries(texts)) {
      const place = `${field}.${part}.${locale}`
      for (const name of placeholdersOf(text)) {
        used.add(name)
        if (!values.includes(name))
          report(place, 'declared', `{{${name}}} does not stand in the values of the template.`)
      }
      checkText(place, withoutPlaceholders(text), report)
      if (part === 'subject' && /[\r\n]/.test(text)) report(place, 'line', 'A subject is one line.')
    }
  }
  for (const [locale, text] of Object.entries(body)) {
    const paragraphs = paragraphsOf(text)
    if (paragraphs.length > mostParagraphs || paragraphs.some(({ length }) => length > mostOfParagraph)) {
      const most = `at most ${mostParagraphs} paragraphs of ${mostOfParagraph} characters`
      report(`${field}.body.${locale}`, 'size', `A body has ${most}; empty lines set them off.`)
    }
  }
  values.forEach((name, index) => {
    if (!used.has(name)) report(`${field}.values.${index}`, 'unused', `No text of the template has {{${name}}}.`)
  })
}

function checkText(place: string, text: string, report: Report): void {
  if (/\{\{|\}\}/.test(text)) report(place, 'placeholder', 'A placeholder is {{name}}, of letters and digits.')
  if (markup.test(text)) report(place, 'markup', 'Write text: the platform makes the page of an e-mail.')
  if (link.test(text)) report(place, 'link', 'Name no address: `link` of ctx.mail.send leads to your own pages.')
}
