import { contentPolicy, filePolicy, sourceOf } from './content-policy.ts'
import { contentTypeOf } from './content-types.ts'
import { fileHeaders, guard, guardOfAuthors, pageHeaders, pageSdkFolder } from './frame-headers.ts'

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
  /** What stands before the file itself: of a page, what takes from it what it might speak to others with. */
  readonly before: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** The headers of a file of a plugin's pages; `hashesOf` is asked for the inline scripts that a page was signed with. */
export async function describePageFile(
  { name, treeHash, file, authority, isDevelopment }: AskedFile,
  hashesOf: () => Promise<readonly string[]>,
): Promise<PageFile> {
  const contentType = contentTypeOf(file)
  if (!contentType.startsWith('text/html'))
    return { contentType, before: Buffer.alloc(0), headers: { ...fileHeaders, 'content-security-policy': filePolicy } }
  const folders = [`/plugin-ui/${name}/${treeHash}/`, pageSdkFolder].map((folder) => sourceOf(authority, folder))
  const policy = contentPolicy(folders, await hashesOf())
  return {
    contentType,
    before: isDevelopment ? guardOfAuthors : guard,
    headers: { ...fileHeaders, ...pageHeaders, 'content-security-policy': policy },
  }
}
