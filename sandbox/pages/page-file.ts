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
  /** What stands in it that was not signed, and takes from it what it might speak to others with: the guard, and what fences scripts in. */
  readonly inserts: readonly Insert[]
  readonly headers: Readonly<Record<string, string>>
}

/** How a file of a plugin's pages goes out; `look` is asked for what stands in it, where that makes a difference. */
export async function describePageFile(
  { name, treeHash, file, authority, userAgent, isDevelopment }: AskedFile,
  look: () => Promise<PageContent>,
): Promise<PageFile> {
  const contentType = contentTypeOf(file)
  const isFenced = needsFence(userAgent)
  const plain = { ...fileHeaders, 'content-security-policy': filePolicy }
  if (!mayRun(contentType)) return { contentType, inserts: [], headers: plain }
  const vary = 'User-Agent'
  if (!isPage(contentType))
    return { contentType, inserts: isFenced ? (await look()).inserts : [], headers: { ...plain, vary } }
  const { inserts, hashes } = await look()
  const folders = [`/plugin-ui/${name}/${treeHash}/`, pageSdkFolder].map((folder) => sourceOf(authority, folder))
  const before = { at: 0, content: isDevelopment ? guardOfAuthors : guard }
  const policy = contentPolicy(folders, hashes[isFenced ? 'fenced' : 'signed'])
  return {
    contentType,
    inserts: [before, ...(isFenced ? inserts : [])],
    headers: { ...fileHeaders, ...pageHeaders, vary, 'content-security-policy': policy },
  }
}
