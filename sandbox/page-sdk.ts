import { createHash } from 'node:crypto'
import path from 'node:path'
import { runBundler } from './bundler.ts'
import { filePolicy } from './pages/content-policy.ts'
import { fileHeaders } from './pages/frame-headers.ts'
import { scriptFence } from './pages/script-fence.ts'

const folder = path.join(import.meta.dirname, 'sdk', 'ui')
const mostBytes = 1_048_576

/** By the name that pages load it by: its source, and how it is made. */
const sources: Readonly<Record<string, { readonly entry: string; readonly type: string; readonly options: string[] }>> =
  {
    'stoa-ui.js': { entry: 'stoa-ui.ts', type: 'text/javascript; charset=utf-8', options: ['--format=esm'] },
    'guard.js': {
      entry: 'guard.ts',
      type: 'text/javascript; charset=utf-8',
      options: ['--format=iife', `--banner:js=${scriptFence}`],
    },
    'early.js': { entry: 'early.ts', type: 'text/javascript; charset=utf-8', options: ['--format=iife'] },
    'stoa-ui.css': { entry: 'stoa-ui.css', type: 'text/css; charset=utf-8', options: [] },
  }

/** A file that pages of plugins load from the platform. */
interface PageSdkFile {
  readonly content: string
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>> & { readonly etag: string }
}

const built = new Map<string, Promise<PageSdkFile>>()

/** What pages of plugins reach the console with, by the name of a file; made once, when it is first asked for. Undefined for other names. */
export function loadPageSdk(name: string): Promise<PageSdkFile> | undefined {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  if (!source) return undefined
  const file = built.get(name) ?? make(source)
  built.set(name, file)
  file.catch(() => built.delete(name))
  return file
}

async function make({ entry, type, options }: NonNullable<(typeof sources)[string]>): Promise<PageSdkFile> {
  const all = ['--bundle', '--minify', '--target=es2022', '--charset=utf8', '--log-level=error', ...options]
  const content = await runBundler([path.join(folder, entry), ...all], mostBytes)
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  const kept = { etag, 'cache-control': 'public, max-age=3600', 'content-security-policy': filePolicy }
  return { content, contentType: type, headers: { ...fileHeaders, ...kept } }
}
