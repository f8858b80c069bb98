import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { defineRoute, NotFoundError, raw, type Route } from '#kernel'
import {
  describePageFile,
  lookInto,
  withInserts,
  type Grants,
  type Insert,
  type PageContent,
  type Release,
} from '#sandbox'
import type { PluginRuntime } from '../../plugins/contract.ts'

const text = { type: 'string', maxLength: 200 } as const
const params = {
  type: 'object',
  required: ['name', 'tree_hash', 'file'],
  properties: {
    name: { ...text, description: 'Name of the plugin' },
    tree_hash: { ...text, description: 'Hash of the release, so that what is kept is never of another one' },
    file: { type: 'string', maxLength: 1_000, description: 'Path of the file' },
  },
} as const

/**
 * The page files of plugins: those that were signed, below `ui/`, of the release that runs, and for pages that are open since before
 * it came, of those that are kept. What the release that runs may not show none of them shows.
 */
export function uiRoute(
  runtime: Pick<PluginRuntime, 'find' | 'findKept' | 'gate'>,
  { isDevelopment }: { readonly isDevelopment: boolean },
): Route {
  /** By release, so that what is known of a page goes with it. */
  const looked = new WeakMap<Release, Map<string, Promise<PageContent>>>()

  async function find(name: string, treeHash: string, file: string): Promise<Release | undefined> {
    const running = runtime.find(name)
    if (!running || !mayShow(running.grants) || !runtime.gate(name, 0, 'view').open) return undefined
    const plugin = running.release.treeHash === treeHash ? running : await runtime.findKept(running, treeHash)
    if (!plugin || !mayShow(plugin.grants)) return undefined
    return file.startsWith('ui/') && Object.hasOwn(plugin.release.files, file) ? plugin.release : undefined
  }

  /** A file is read for it once, however many ask for it at the same time. */
  function look(release: Release, file: string, location: string): Promise<PageContent> {
    const known = looked.get(release) ?? new Map<string, Promise<PageContent>>()
    looked.set(release, known)
    const found = known.get(file) ?? readFile(location).then((content) => lookInto(file, content))
    known.set(file, found)
    found.catch(() => known.delete(file))
    return found
  }

  return defineRoute({
    method: 'get',
    path: '/plugin-ui/{name}/{tree_hash}/{file*}',
    summary: 'Read a file of a plugin’s pages, for frames of the console',
    auth: 'none',
    answers: [{ types: ['*/*'] }],
    schema: { params },
    errors: [4040],
    async handler(ctx) {
      const { name, tree_hash: treeHash, file } = ctx.params
      const release = await find(name, treeHash, file)
      if (!release) throw new NotFoundError()
      const location = path.join(release.directory, file)
      // One that is not kept any more may be deleted while it is looked for.
      const gone = () => {
        throw new NotFoundError()
      }
      const found = await stat(location).catch(gone)
      const userAgent = ctx.header('user-agent') ?? ''
      const asked = { name, treeHash, file, authority: ctx.authority, userAgent, isDevelopment }
      const { contentType, inserts, headers } = await describePageFile(asked, () =>
        look(release, file, location).catch(gone),
      )
      const size = inserts.reduce((sum, { content }) => sum + content.length, found.size)
      return raw(
        inserts.length > 0 ? Readable.from(shown(location, inserts)) : createReadStream(location),
        contentType,
        {
          headers: {
            ...headers,
            'cache-control': 'public, max-age=31536000, immutable',
            'content-length': String(size),
          },
        },
      )
    },
  })
}

/** A file with what stands in it, which is not opened where nobody reads it. */
async function* shown(location: string, inserts: readonly Insert[]): AsyncGenerator<Buffer> {
  yield* withInserts(createReadStream(location) as AsyncIterable<Buffer>, inserts)
}

/** Whether it was granted pages, and they were not taken back since. */
function mayShow(grants: Grants): boolean {
  return grants.capabilities.has('ui') && !grants.deniedFor(0).has('ui')
}
