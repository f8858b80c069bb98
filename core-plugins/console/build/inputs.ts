import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ConsoleFolders } from './folders.ts'

/** Packages whose version changes what is built. */
const packages =
  /^node_modules\/(@?vue|@vue\/[\w-]+|@intlify\/[\w-]+|@lucide\/vue|@tanstack\/[\w-]+|@vitejs\/plugin-vue|vite|rolldown|pinia|vue-[\w-]+|element-plus|eventsource-parser|dompurify|markdown-it|linkify-it|mdurl|entities|uc\.micro|punycode\.js|papaparse|uqr|highlight\.js|katex|@tiptap\/[\w-]+|prosemirror-[\w-]+|orderedmap|rope-sequence|w3c-keyname|linkifyjs)$/

/** The name of the build that these sources make: 16 hexadecimal digits, the same wherever they lie. */
export async function nameOfBuild({ web, lock }: Pick<ConsoleFolders, 'web' | 'lock'>): Promise<string> {
  const files = (await Array.fromAsync(glob('**/*', { cwd: web, withFileTypes: true })))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const lines = await Promise.all(
    files.map(async (file) => `${path.relative(web, file)} ${hashOf(await readFile(file))}`),
  )
  const all = [...lines.sort(), ...(await packageVersions(lock))].join('\n')
  return hashOf(all).slice(0, 16)
}

function hashOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex')
}

async function packageVersions(lock: string): Promise<readonly string[]> {
  const { packages: all } = JSON.parse(await readFile(lock, 'utf8')) as {
    packages: Record<string, { version?: string }>
  }
  return Object.entries(all).flatMap(([name, { version }]) => (packages.test(name) ? [`${name} ${version}`] : []))
}
