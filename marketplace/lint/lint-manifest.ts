import type { PluginManifest } from '#sandbox'
import type { Finding } from './finding.ts'

type Texts = Readonly<Record<string, string>>

/** Looks through a manifest that is valid for what an administrator or a user would miss; `text` is the file, for its lines. */
export function lintManifest(
  manifest: PluginManifest,
  text: string,
  translations: Readonly<Record<string, Texts>>,
): readonly Finding[] {
  const lines = text.split('\n')
  const at = (needle: string): { readonly file: string; readonly line: number } => ({
    file: 'manifest.json',
    line:
      Math.max(
        0,
        lines.findIndex((line) => line.includes(needle)),
      ) + 1,
  })
  const { admin_routes = [], tenant_routes = [], public_routes = [], permissions = [] } = manifest
  const findings: Finding[] = []
  for (const { method, path, permission } of [...admin_routes, ...tenant_routes]) {
    if (permission !== undefined) continue
    const message = `Everybody who is signed in may call ${method} ${path}: give it a permission.`
    findings.push({ level: 'warning', rule: 'route_without_permission', ...at(`"${path}"`), message })
  }
  for (const { method, path, rate } of public_routes) {
    if (rate !== undefined) continue
    const message = `Anybody may call ${method} ${path} as often as they like: give it a rate.`
    findings.push({ level: 'warning', rule: 'public_route_without_rate', ...at(`"${path}"`), message })
  }
  const used = new Set([
    ...[...admin_routes, ...tenant_routes].map(({ permission }) => permission),
    ...(manifest.slots ?? []).map(({ permission }) => permission),
    ...(manifest.provides?.aiTools ?? []).map(({ permission }) => permission),
  ])
  for (const { code } of permissions) {
    if (used.has(code)) continue
    const message = `Nothing asks for the permission ${code}: use it or take it out.`
    findings.push({ level: 'warning', rule: 'unused_permission', ...at(`"${code}"`), message })
  }
  return [
    ...findings,
    ...lintDefaults(manifest, at),
    ...lintTitles(manifest, at),
    ...lintTranslations(manifest.locales ?? [], translations),
  ]
}

/** Defaults that nobody could have given: a form would refuse them. */
function lintDefaults(
  { config = [] }: PluginManifest,
  at: (needle: string) => { readonly file: string; readonly line: number },
): readonly Finding[] {
  return config.flatMap(({ key, default: usual, rules: { min_value, max_value, min_length, max_length } = {} }) => {
    const isText = typeof usual === 'string'
    const size = isText ? usual.length : usual
    const [least, most] = isText ? [min_length, max_length] : [min_value, max_value]
    if (typeof size !== 'number' || (size >= (least ?? size) && size <= (most ?? size))) return []
    const message = `The default of ${key} breaks its own rules: change one of them.`
    return [{ level: 'error', rule: 'default_out_of_bounds', ...at(`"default": ${JSON.stringify(usual)}`), message }]
  })
}

/** Texts for people that lack a language the manifest names. */
function lintTitles(
  manifest: PluginManifest,
  at: (needle: string) => { readonly file: string; readonly line: number },
): readonly Finding[] {
  const texts: readonly (Readonly<Record<string, string | undefined>> | undefined)[] = [
    manifest.title,
    manifest.description,
    ...(manifest.permissions ?? []).map(({ title }) => title),
    ...(manifest.config ?? []).map(({ label }) => label),
    ...(manifest.slots ?? []).map(({ title }) => title),
    ...(manifest.menu ?? []).map(({ title }) => title),
  ]
  return (manifest.locales ?? [])
    .filter((locale) => locale !== 'default')
    .flatMap((locale) =>
      texts.flatMap((text): readonly Finding[] => {
        if (text === undefined || text[locale] !== undefined) return []
        const message = `“${text['default']}” is not said in ${locale}.`
        return [{ level: 'warning', rule: 'missing_translation', ...at(JSON.stringify(text['default'])), message }]
      }),
    )
}

/** Keys that one file of texts has and another lacks. */
function lintTranslations(
  locales: readonly string[],
  translations: Readonly<Record<string, Texts>>,
): readonly Finding[] {
  const keys = new Set(Object.values(translations).flatMap((texts) => Object.keys(texts)))
  return locales.flatMap((locale) =>
    [...keys].flatMap((key): readonly Finding[] => {
      const texts = translations[locale]
      const [other] = variablesOf(texts?.[key]).filter(
        (name) => !variablesOf(translations['default']?.[key]).includes(name),
      )
      if (translations['default']?.[key] !== undefined && other !== undefined) {
        const message = `The text ${key} has {${other}}, which locales/default.json does not have there: readers see it as it is.`
        return [{ level: 'warning', rule: 'unknown_variable', file: `locales/${locale}.json`, line: 1, message }]
      }
      if (!texts || Object.hasOwn(texts, key)) return []
      const message = `The text ${key} is missing here.`
      return [{ level: 'warning', rule: 'missing_translation', file: `locales/${locale}.json`, line: 1, message }]
    }),
  )
}

function variablesOf(text: unknown): readonly string[] {
  return typeof text === 'string' ? (text.match(/(?<=\{)\w+(?=\})/g) ?? []) : []
}
