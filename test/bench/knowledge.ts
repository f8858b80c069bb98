import { readFileSync } from 'node:fs'
import { readDocument } from '../../core-plugins/knowledge/reading/read-document.ts'
import { pdf } from '../core-plugins/knowledge/files.ts'
import { addDocument, find, makeBase, path, settled } from '../core-plugins/knowledge/world.ts'
import type { BenchPlatform } from './bench-platform.ts'
import { dataOf } from '../support/platform.ts'
import { print } from './print.ts'

/** About 20,000 chunks. */
const documents = 30
const characters = 850_000
const searches = 200
const pages = 300
/** As texts have them, a few words are most of what is said. */
const vocabulary = 30_000

/** Documents into the index, questions over all of it, and a long PDF through its reader. */
export async function measureKnowledge({ owner, pid }: BenchPlatform): Promise<void> {
  await measurePdf()
  const base = await makeBase(owner)
  const before = residentBytes(pid)
  let most = before
  const watch = setInterval(() => (most = Math.max(most, residentBytes(pid))), 50)
  const began = performance.now()
  const ids: string[] = []
  for (let at = 0; at < documents; at++) {
    ids.push(await addDocument(owner, base, { title: `Volume ${String(at)}`, text: wordsOf(characters) }))
  }
  for (const id of ids) await settled(owner, base, id)
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1_000
  const chunks = Number(dataOf(await owner.get(`${path}/${base}`))['chunk_count'])
  print(`chunks indexed a second, ${String(chunks)} of them`, `${(chunks / seconds).toFixed(0)}/s`, '')
  print('memory of the host while it indexes, over what it had', mebibytes(most - before), '')
  const times: number[] = []
  for (let at = 0; at < searches; at++) {
    const question = `How do ${wordsOf(60)}?`
    const asked = performance.now()
    await find(owner, base, question)
    times.push(performance.now() - asked)
  }
  times.sort((a, b) => a - b)
  print('a search over all of them, p50', `${(times[searches / 2] ?? 0).toFixed(1)} ms`, '')
  print('a search over all of them, p95', `${(times[Math.floor(searches * 0.95)] ?? 0).toFixed(1)} ms`, 'aim ≤ 50 ms')
}

async function measurePdf(): Promise<void> {
  // Lines one below the other, as far as a page goes.
  const line = (): string => wordsOf(85).trim()
  const page = (): string => Array.from({ length: 30 }, line).join(' ) Tj 0 -20 Td (')
  const bytes = pdf(Array.from({ length: pages }, page))
  let [count, most] = [0, 0]
  const watch = setInterval(() => (most = Math.max(most, ...childBytes())), 10)
  const began = performance.now()
  const task = { kind: 'pdf', title: 'Long', mostCharacters: 4_000_000, mostPages: 2_000 } as const
  await readDocument(oneOf(bytes), task, AbortSignal.timeout(60_000), () => void (count += 1))
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1_000
  print(
    `chunks read a second of a PDF of ${String(pages)} pages, ${String(count)} of them`,
    `${(count / seconds).toFixed(0)}/s`,
    '',
  )
  print('memory of the process that reads it', mebibytes(most), '')
}

async function* oneOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes)
}

/** What the processes that this one started hold. */
function childBytes(): readonly number[] {
  const pids = readFileSync(`/proc/self/task/${String(process.pid)}/children`, 'utf8')
    .trim()
    .split(' ')
  return pids.map((pid) => residentBytes(Number(pid)))
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${String(pid)}/statm`, 'utf8').split(' ')[1]) * 4096
  } catch {
    return 0
  }
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`
}

function wordsOf(length: number): string {
  let text = ''
  while (text.length < length) {
    const rank = Math.floor(vocabulary ** Math.random())
    text += `${(rank * 7919).toString(36)}${rank % 13 === 0 ? '. ' : ' '}`
  }
  return text.slice(0, length).trim()
}
