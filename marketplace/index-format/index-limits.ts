/** The bounds of an index: bytes of its files, and how many things they may list. */
export const indexLimits = {
  indexBytes: 5 * 1_048_576,
  rootBytes: 65_536,
  signatureBytes: 1_048_576,
  pluginBytes: 1_048_576,
  publishersBytes: 1_048_576,
  revocationsBytes: 1_048_576,
  categoriesBytes: 262_144,
  ratingsBytes: 1_048_576,
  reviewBytes: 262_144,
  readmeBytes: 262_144,
  changelogBytes: 262_144,
  iconBytes: 1_048_576,
  imageBytes: 2 * 1_048_576,
  plugins: 20_000,
  versions: 1_000,
  files: 200,
  publishers: 10_000,
  keys: 16,
  revocations: 10_000,
  /** Of one plugin: each of its versions is held against each of them. */
  revocationsOfPlugin: 20,
  categories: 200,
  findings: 500,
  /** Roots that are kept beside the newest one, so that a site that was away finds the way from the one it knows. */
  formerRoots: 64,
} as const
