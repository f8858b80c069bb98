import { isOutdated } from '../tab/build.ts'
import { isUnsaved } from './form/use-unsaved.ts'

const mark = 'stoa.reloaded'
/** Of which build this page is; a developer's has none. */
const own = document.querySelector<HTMLMetaElement>('meta[name=stoa-build]')?.content

/** The build that the server has, where it is another one than this page is of. */
export async function askForBuild(): Promise<string | undefined> {
  const response = await fetch('/console/build.json').catch(() => undefined)
  if (!response?.ok) return undefined
  const { build } = (await response.json()) as { build: string | null }
  if (build === null || own === undefined) return undefined
  isOutdated.value = build !== own
  return isOutdated.value ? build : undefined
}

/** Loads the page anew where the server has another build; once for each, and never over what somebody typed: there the bar says so. */
export async function loadAnew(address: string): Promise<boolean> {
  const build = await askForBuild()
  if (build === undefined || isUnsaved() || sessionStorage.getItem(mark) === build) return false
  sessionStorage.setItem(mark, build)
  const to = new URL(address, location.href)
  const isHere = to.origin + to.pathname + to.search === location.origin + location.pathname + location.search
  // To where one is already, only the part after the # would be gone to.
  if (isHere) history.replaceState(history.state, '', to)
  if (isHere) location.reload()
  else location.assign(to)
  return true
}
