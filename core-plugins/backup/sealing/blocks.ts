/** The same bytes in blocks of one size; the last one may be shorter, and there is none for no bytes. */
export async function* inBlocks(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  size: number,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    held.push(chunk)
    length += chunk.length
    if (length < size) continue
    let all = Buffer.concat(held)
    for (; all.length >= size; all = all.subarray(size)) yield all.subarray(0, size)
    held = [all]
    length = all.length
  }
  if (length > 0) yield Buffer.concat(held)
}
