import { AppError, DeclarationError } from '#kernel'

/** What proves that the release is wrong, whichever host looks: its hash, its signature, its form, what it declares. */
const proofs: ReadonlySet<string> = new Set([
  'release_damaged',
  'package_invalid',
  'package_signature_invalid',
  'manifest_invalid',
  'migration_refused',
  'captcha_provider_taken',
  'preference_declaration_wrong',
])
/** The one rule of packages that a slow machine breaks too. */
const timeLimit = 'time_limit'

/**
 * Whether a plugin that failed to load can be loaded nowhere and never. The list is closed: a full disk, a lost file, a process that was
 * killed and whatever nobody thought of are the state of one host, which tries again.
 */
export function isLasting(fault: unknown): boolean {
  if (fault instanceof DeclarationError) return true
  return fault instanceof AppError && proofs.has(fault.reason) && fault.details?.['rule'] !== timeLimit
}
