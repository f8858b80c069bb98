/** The first 32 bits of a linear congruence (Knuth, MMIX), so that every run flips the same bits. */
function* numbers(seed: bigint): Generator<number> {
  for (let state = seed; ;) {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n)
    yield Number(state >> 32n)
  }
}

/** Copies of a file, each with one bit otherwise. */
export function* flipped(
  file: Buffer,
  count: number,
): Generator<{ readonly at: number; readonly bit: number; readonly zip: Buffer }> {
  const random = numbers(1n)
  for (let index = 0; index < count; index++) {
    const at = Number(random.next().value) % file.length
    const bit = Number(random.next().value) % 8
    const zip = Buffer.from(file)
    zip[at] = (zip[at] ?? 0) ^ (1 << bit)
    yield { at, bit, zip }
  }
}
