import { readIndexFolder } from './index-folder.ts'
import { openRelease } from './open-release.ts'
import { openSubject, type Subject } from './open-subject.ts'

/** Opens a package, a plugin's folder or `name@version` of an index; undefined where there is none of them. */
export async function findSubject(reference: string, scratch: string, index?: string): Promise<Subject | undefined> {
  const here = await openSubject(reference, scratch)
  const at = reference.indexOf('@')
  if (here || index === undefined || at < 1) return here
  const [name, wanted] = [reference.slice(0, at), reference.slice(at + 1)]
  const { plugins } = await readIndexFolder(index)
  const version = plugins.get(name)?.versions.find((each) => each.version === wanted)
  const release = version && (await openRelease(index, name, version, scratch))
  return release && { ...release, isFolder: false }
}
