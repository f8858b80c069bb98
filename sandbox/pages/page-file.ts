import { contentPolicy, filePolicy, sourceOf } from './content-policy.ts'
import { contentTypeOf } from './content-types.ts'
import { fileHeaders, guard, guardOfAuthors, pageHeaders, pageSdkFolder } from './frame-headers.ts'
import { isPage, mayRun, type Insert, type PageContent } from './page-inserts.ts'
import { needsFence } from './script-fence.ts'

/** Which file of which release is asked for, and where. */
interface AskedFile {
  readonly name: string
  readonly treeHash: string
  /** Below the release's folder. */
  readonly file: string
  /** The host and port it is asked at; '' where that is none. */
  readonly authority: string
  /** Who asks; '' where they do not say. */
  readonly userAgent: string
  readonly isDevelopment: boolean
}

/** How a file of a plugin's pages goes out. */
interface PageFile {
  readonly contentType: string
  /** What stands in it that was not signed: before a page, and before each script where the browser needs it, what takes from it what it might speak to others with. */
  readonly inserts: readonly Insert[]
  readonly headers: Readonly<Record<string, string>>
}

/** How a file of a plugin's pages goes out; `look` is asked for what stands in it, where something in it may run. */
export async function describePageFile(
  { name, treeHash, file, authority, userAgent, isDevelopment }: AskedFile,
  look: () => Promise<PageContent>,
): Promise<PageFile> {
  const contentType = contentTypeOf(file)
  if (!mayRun(contentType))
    return { contentType, inserts: [], headers: { ...fileHeaders, 'content-security-policy': filePolicy } }
  const isFenced = needsFence(userAgent)
  const { inserts, hashes } = await look()
  const fences = isFenced ? inserts : []
  const common = { ...fileHeaders, vary: 'User-Agent' }
  if (!isPage(contentType))
    return { contentType, inserts: fences, headers: { ...common, 'content-security-policy': filePolicy } }
  const folders = [`/plugin-ui/${name}/${treeHash}/`, pageSdkFolder].map((folder) => sourceOf(authority, folder))
  const before = { at: 0, content: isDevelopment ? guardOfAuthors : guard }
  const policy = contentPolicy(folders, hashes[isFenced ? 'fenced' : 'signed'])
  return {
    contentType,
    inserts: [before, ...fences],
    headers: { ...common, ...pageHeaders, 'content-security-policy': policy },
  }
}
