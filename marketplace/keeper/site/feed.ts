import type { PluginFile } from '../../index-format/plugin-file.ts'
import { markup } from './markup.ts'

const most = 50

/** An Atom feed of the versions that were published last. */
export function createFeed(title: string, fingerprint: string, plugins: readonly PluginFile[]): string {
  const released = plugins
    .flatMap((plugin) => plugin.versions.map((version) => ({ plugin, version })))
    .filter(({ version }) => version.yanked === null)
    .sort((a, b) => (a.version.published < b.version.published ? 1 : -1))
    .slice(0, most)
  const entries = released.map(({ plugin: { name, publisher }, version }) => {
    return markup`<entry>
<id>urn:sha256:${version.sha256}</id>
<title>${name} ${version.version}</title>
<link href="plugins/${name}/index.html"/>
<updated>${version.published}</updated>
<author><name>${publisher}</name></author>
<content type="text">${version.changelog ?? ''}</content>
</entry>
`
  })
  return markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:sha256:${fingerprint}</id>
<title>${title}</title>
<link rel="self" href="feed.xml"/>
<updated>${released[0]?.version.published ?? '1970-01-01T00:00:00Z'}</updated>
${entries}</feed>
`.text
}
