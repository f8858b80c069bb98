import { glob, readFile } from 'node:fs/promises'
import { services } from '../../core-plugins/services.ts'

const sources = ['kernel/**/*.ts', 'core-plugins/*/contract*.ts']

/** What the list of services says that is not so: services that are not in it, and entries that are in it twice or are gone. */
export async function findUnlistedServices(): Promise<readonly string[]> {
  const declared: string[] = []
  for await (const file of glob(sources)) {
    const text = await readFile(file, 'utf8')
    declared.push(...[...text.matchAll(/= defineService<[^(]*>\(\s*'([^']+)'/g)].map(([, id = '']) => id))
  }
  const listed = services.map(({ ref }) => ref.id)
  return [
    ...declared.filter((id) => !listed.includes(id)).map((id) => `${id} is not in core-plugins/services.ts`),
    ...listed
      .filter((id) => !declared.includes(id))
      .map((id) => `${id} is in core-plugins/services.ts, and nowhere else`),
    ...listed.filter((id, at) => listed.indexOf(id) < at).map((id) => `${id} is twice in core-plugins/services.ts`),
  ]
}
