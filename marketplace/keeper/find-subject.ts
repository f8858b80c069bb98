import { openSubject, type Subject } from './open-subject.ts'

/** Opens a package, a plugin's folder or `name@version` of an index; undefined where there is none of them. */
export async function findSubject(reference: string, scratch: string, index?: string): Promise<Subject | undefined> {
  const here = await openSubject(reference, scratch)
  if (here || index === undefined) return here
  return undefined
}
