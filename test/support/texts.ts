import { globSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { defaultLocale, locales, type Locale } from '#kernel'

const root = path.join(import.meta.dirname, '..', '..')
const rooms = '{kernel,core-plugins,sandbox,marketplace}'

/** An error as its `errors.ts` declares it. */
export interface DeclaredError {
  readonly code: number
  readonly reason: string
  readonly template: string
  readonly file: string
}

/** What one folder of texts says in one language. */
export interface TextFile {
  readonly folder: string
  readonly locale: Locale
  readonly english: Readonly<Record<string, string>>
  readonly texts: Readonly<Record<string, string>>
  readonly errors: Readonly<Record<string, string>>
}

/** Every error that the platform declares. */
export async function declaredErrors(): Promise<readonly DeclaredError[]> {
  const files = globSync(`${rooms}/**/errors.ts`, { cwd: root }).sort()
  const lists = files.map(async (file) => {
    return Object.values(await load(file)).flatMap((value) => {
      const { code, reason, template } = (typeof value === 'function' ? value : {}) as Partial<DeclaredError>
      return code !== undefined && reason !== undefined ? [{ code, reason, template: template ?? '', file }] : []
    })
  })
  return (await Promise.all(lists)).flat()
}

/** Every file of texts there could be in another language than English; one that is not there says nothing. */
export async function textFiles(): Promise<readonly TextFile[]> {
  const folders = globSync(`${rooms}/**/texts/texts.ts`, { cwd: root }).map((file) => path.dirname(file))
  const lists = folders.sort().map(async (folder) => {
    const english = (await load(path.join(folder, 'en.ts')))['english'] ?? {}
    return locales
      .filter((locale) => locale !== defaultLocale)
      .map(async (locale) => {
        const { texts = {}, errors = {} } = await load(path.join(folder, `${locale}.ts`))
        return { folder, locale, english, texts, errors } as TextFile
      })
  })
  return [...(await Promise.all((await Promise.all(lists)).flat())), ...(await messageFiles())]
}

/** Tables of what errors say in Chinese that do not lie in a folder of texts yet. */
async function messageFiles(): Promise<readonly TextFile[]> {
  const files = globSync(`${rooms}/**/*messages.ts`, { cwd: root })
  const lists = files.map(async (file) =>
    Object.values(await load(file)).map((value): TextFile => {
      const { 'zh-CN': errors = {} } = value as { readonly 'zh-CN'?: Readonly<Record<string, string>> }
      return { folder: file, locale: 'zh-CN', english: {}, texts: {}, errors }
    }),
  )
  return (await Promise.all(lists)).flat()
}

/** The `{names}` of a text, in order. */
export function placeholdersOf(text: string | undefined): string {
  return (text?.match(/\{\w+\}/g) ?? []).sort().join()
}

/** What a language does not say yet and tells in English: the texts by folder, and the errors. */
export async function missingTexts(locale: Locale): Promise<readonly string[]> {
  const files = (await textFiles()).filter((file) => file.locale === locale)
  const reasons = new Set(files.flatMap(({ errors }) => Object.keys(errors)))
  const errors = (await declaredErrors()).filter(({ reason }) => !reasons.has(reason))
  return [
    ...files.flatMap(({ folder, english, texts }) =>
      Object.keys(english).flatMap((key) => (texts[key] === undefined ? [`${folder}/${locale}.ts: ${key}`] : [])),
    ),
    ...errors.map(({ reason, file }) => `${file}: ${reason}`),
  ]
}

async function load(file: string): Promise<Readonly<Record<string, unknown>>> {
  const whole = path.join(root, file)
  if (globSync(whole).length === 0) return {}
  return (await import(pathToFileURL(whole).href)) as Record<string, unknown>
}

if (import.meta.main) {
  for (const locale of locales) {
    if (locale === defaultLocale) continue
    const missing = await missingTexts(locale)
    process.stdout.write([`${locale}: ${missing.length} missing`, ...missing, ''].join('\n'))
  }
}
