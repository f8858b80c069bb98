import { deepEqual } from 'node:assert/strict'
import { parseManifest } from '#sandbox'
import { lintSource } from '../../marketplace/lint/lint-source.ts'
import { sampleManifest } from './sample-package.ts'

const manifest = parseManifest(JSON.stringify(sampleManifest()))

async function rulesOf(text: string): Promise<readonly string[]> {
  return (await lintSource([{ file: 'src/a.ts', text }], manifest)).map(({ rule, line }) => `${rule}:${line}`)
}

describe('names of the web and of Node in a source', () => {
  it('are told where they are the global ones', async () => {
    deepEqual(await rulesOf('export const title = (): string =>\n  document.title'), ['web:2'])
    deepEqual(await rulesOf('export const run = () => {\n  process.exit(1)\n}'), ['node:2'])
    deepEqual(await rulesOf('export function one(document: { a: 1 }) { return document.a }\nalert("x")'), ['web:2'])
    deepEqual(await rulesOf('const f = () => { const process = { a: 1 }\n return process.a }\nf(process.pid)'), [
      'node:3',
    ])
    deepEqual(await rulesOf('import fs from "node:fs"\nexport const a = require("os")'), ['node:1', 'node:2'])
    deepEqual(await rulesOf('export const a = )\ndocument.title'), ['web:2'])
  })

  it('are the own ones of a source where it gives them', async () => {
    for (const text of [
      'export const titleOf = (document: { title: string }) => document.title',
      'export function run({ window }: { window: { from: number } }) { return window.from }',
      'const process = { exit: () => 1 }\nexport const a = process.exit()',
      'import { navigator } from "./b.ts"\nexport const a = navigator.next',
      'class File {}\nexport const a = new File()',
      'for (const document of [{ id: 1 }]) document.id',
      'try { throw 1 } catch (window) { window.toString() }',
    ])
      deepEqual(await rulesOf(text), [], text)
  })

  it('are no mistake where it is asked first whether they are there', async () => {
    for (const text of [
      'export const a = typeof document === "undefined" ? "" : document.title',
      'export const a = typeof process !== "undefined" && process.pid',
      'if (typeof window !== "undefined") {\n  window.close()\n}',
    ])
      deepEqual(await rulesOf(text), [], text)
    deepEqual(await rulesOf('if (typeof window === "undefined") {\n  window.close()\n}'), ['web:2'])
  })
})
