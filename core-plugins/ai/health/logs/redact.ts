/** What is never kept of what was said, and what stands for it. Kinds are those that scanners of secrets and of personal data look for first. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[private key]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[token]'],
  [/\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza)[-_\w]{12,}/g, '[key]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]{12,}/gi, '$1 [token]'],
  [/\b(password|passwd|pwd|secret|token|api[-_ ]?key)(["']?\s*[:=]\s*["']?)[^\s"',;]{4,}/gi, '$1$2[secret]'],
  [/[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '[e-mail]'],
  [/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g, '[account]'],
]
/** Groups of digits as cards and telephones have them. */
const digits = /(?<![\w.])\+?\d(?:[ ().-]{0,2}\d){7,18}(?!\w)/g

/** A text without secrets and without what tells who somebody is, as far as their form says it. */
export function redact(text: string): string {
  let told = text
  for (const [pattern, instead] of patterns) told = told.replace(pattern, instead)
  return told.replace(digits, '[number]')
}
