import { glob, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import type { Finding } from './finding.ts'

/** What connects a page with the console. */
const bridge = '/plugin-ui/sdk/1/stoa-ui.js'
/** Also of pages that have the bridge bundled into them: it says hello. */
const speaks = /\/plugin-ui\/sdk\/1\/stoa-ui\.js|\bstoa["']?\s*:\s*["'`]hello/
const sheet = '/plugin-ui/sdk/1/stoa-ui.css'
/** Of a file of a page that is worth a word, in bytes: each reader waits for it. */
const largeBytes = 1_048_576

/** Looks at a page's own marks: styles that its policy refuses, and what readers and the console miss in it. */
export async function lintPageMarkup(directory: string, file: string, hasBridge: boolean): Promise<readonly Finding[]> {
  const text = await readFile(join(directory, file), 'utf8')
  const findings: Finding[] = []
  const seen = { language: false, title: '', sheet: false, isInTitle: false }
  const find = (level: Finding['level'], rule: string, at: number, message: string): void => {
    findings.push({ level, rule, file, line: text.slice(0, at).split('\n').length, message })
  }
  const parser: Parser = new Parser({
    onopentag(name, attributes) {
      const at = parser.startIndex
      if (name === 'html' && attributes['lang']?.trim()) seen.language = true
      if (name === 'link' && attributes['href'] === sheet) seen.sheet = true
      if (name === 'title') seen.isInTitle = true
      if (name === 'style' || attributes['style'] !== undefined) {
        const what = name === 'style' ? '<style>' : 'style="…"'
        find('error', 'page_style', at, `${what} has no effect in a page: put it into a .css file of ui/.`)
      }
      if (name === 'script' && attributes['integrity'] !== undefined)
        find(
          'error',
          'page_integrity',
          at,
          'integrity fits no script of a page: what is signed is the package. Leave it out.',
        )
    },
    ontext(part) {
      if (seen.isInTitle) seen.title += part
    },
    onclosetag(name) {
      if (name === 'title') seen.isInTitle = false
    },
  })
  parser.end(text)
  if (!seen.language) find('warning', 'page_language', 0, 'A page says its language: <html lang="en">.')
  if (!seen.title.trim()) find('warning', 'page_title', 0, 'A page has a <title>, which screen readers say first.')
  if (!seen.sheet)
    find('warning', 'page_sdk', 0, `A page without ${sheet} looks like no other: link it as its first style sheet.`)
  if (!hasBridge)
    find(
      'warning',
      'page_sdk',
      0,
      `No script of ui/ imports ${bridge}: the console takes the page for one that does not answer.`,
    )
  return findings
}

/** Files of pages that are so large that their readers wait for them. */
export async function lintPageSizes(directory: string): Promise<readonly Finding[]> {
  const files = (await Array.fromAsync(glob('ui/**/*', { cwd: directory }))).sort()
  const sizes = await Promise.all(files.map(async (file) => ({ file, is: await stat(join(directory, file)) })))
  return sizes
    .filter(({ is }) => is.isFile() && is.size > largeBytes)
    .map(({ file, is: { size } }): Finding => {
      const message = `${(size / largeBytes).toFixed(1)} MB are much for a page: make it smaller, or load it from a route when it is wanted.`
      return { level: 'warning', rule: 'page_large', file, line: 1, message }
    })
}

/** Whether a file of the pages connects with the console. */
export async function namesBridge(directory: string): Promise<boolean> {
  for await (const file of glob('ui/**/*.{html,js,mjs}', { cwd: directory }))
    if (speaks.test(await readFile(join(directory, file), 'utf8'))) return true
  return false
}
