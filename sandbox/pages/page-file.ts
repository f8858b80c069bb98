import { contentPolicy, filePolicy, sourceOf } from './content-policy.ts'
import { contentTypeOf } from './content-types.ts'
import { fileHeaders, guard, guardOfAuthors, pageHeaders, pageSdkFolder } from './frame-headers.ts'
import { isPage, mayRun, type Insert, type PageContent } from './page-inserts.ts'

/** Which file of which release is asked for, and where. */
interface AskedFile {
  readonly name: string
  readonly treeHash: string
  /** Below the release's folder. */
  readonly file: string
  /** The host and port it is asked at; '' where that is none. */
  readonly authority: string
  readonly isDevelopment: boolean
}

/** How a file of a plugin's pages goes out. */
interface PageFile {
  readonly contentType: string
  /** What stands in it that was not signed: what takes from a page, and from each script, what it might speak to others with. */
  readonly inserts: readonly Insert[]
  readonly headers: Readonly<Record<string, string>>
}

/** How a file of a plugin's pages goes out; `look` is asked for what stands in it, where something in it may run. */
export async function describePageFile(
  { name, treeHash, file, authority, isDevelopment }: AskedFile,
  look: () => Promise<PageContent>,
): Promise<PageFile> {
  const contentType = contentTypeOf(file)
  if (!mayRun(contentType))
    return { contentType, inserts: [], headers: { ...fileHeaders, 'content-security-policy': filePolicy } }
  const { inserts, hashes } = await look()
  if (!isPage(contentType))
    return { contentType, inserts, headers: { ...fileHeaders, 'content-security-policy': filePolicy } }
  const folders = [`/plugin-ui/${name}/${treeHash}/`, pageSdkFolder].map((folder) => sourceOf(authority, folder))
  const before = { at: 0, content: isDevelopment ? guardOfAuthors : guard }
  const policy = contentPolicy(folders, hashes)
  return {
    contentType,
    inserts: [before, ...inserts],
    headers: { ...fileHeaders, ...pageHeaders, 'content-security-policy': policy },
  }
}
