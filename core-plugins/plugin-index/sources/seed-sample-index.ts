import { access } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SourceService } from './source-service.ts'

const sampleIndex = path.join(import.meta.dirname, '..', '..', '..', 'test', 'fixtures', 'index')

/** Gives a demo platform the sample index to browse; where the platform was installed without it there is none. */
export async function seedSampleIndex(sources: Pick<SourceService, 'seed'>): Promise<void> {
  const isThere = await access(path.join(sampleIndex, 'index.json')).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  await sources.seed({ id: 'sample', name: 'Sample', url: pathToFileURL(sampleIndex).href })
}
