import { describeRun } from '../describe-run.ts'
import { locales, pickText, type Locale, type Localised } from '#kernel'
import type { PluginFile, PluginVersion } from '../../index-format/plugin-file.ts'
import { pluginFolder } from '../../index-format/index-entry.ts'
import { Markup, markup } from './markup.ts'
import { folderOf, wordFor, wordsOf } from './words.ts'

/** What a page is made of, beside what it is about. */
interface Surroundings {
  readonly title: string
  readonly generated: string
  readonly locale: Locale
}

/** A plugin as the site shows it. */
export interface ShownPlugin {
  readonly plugin: PluginFile
  readonly trust: string
  readonly icon: string | undefined
  /** As safe HTML. */
  readonly readme: string
  readonly changelog: string
}

/** Nothing but the site's own files: no page of it runs or fetches what a plugin's author wrote. */
const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
const dayLength = 10

/** The page that lists all plugins. */
export function listPage(around: Surroundings, plugins: readonly ShownPlugin[]): string {
  const { locale, title } = around
  const words = wordsOf(locale)
  const up = folderOf(locale) === '' ? '' : '../'
  const items = plugins.map(({ plugin, trust, icon }) => {
    const { name, publisher, versions, keywords = [], categories = [] } = plugin
    const found = [
      name,
      inLocale(plugin.title, locale),
      inLocale(plugin.description, locale),
      ...keywords,
      ...categories,
    ]
    return markup`<li data-words="${found.join(' ').toLowerCase()}">
${icon === undefined ? '' : markup`<img src="${up}${pluginFolder(name)}${icon}" alt="" width="48" height="48">`}
<h2><a href="plugins/${name}/index.html">${inLocale(plugin.title, locale) || name}</a></h2>
<p>${inLocale(plugin.description, locale)}</p>
<p class="small">${name} ${versions[0]?.version} · ${words.by} ${publisher} · ${wordFor('trust.', trust, locale)}</p>
</li>
`
  })
  const list = items.length === 0 ? markup`<p>${words.noPlugins}</p>` : markup`<ul class="plugins">\n${items}</ul>`
  return page(around, {
    up,
    path: '',
    title,
    body: markup`<h1>${title}</h1>
<p class="search" hidden><label>${words.search} <input type="search" autocomplete="off"></label></p>
${list}`,
  })
}

/** The page of one plugin. */
export function pluginPage(around: Surroundings, { plugin, trust, icon, readme, changelog }: ShownPlugin): string {
  const { locale } = around
  const { name, publisher, versions, files = {} } = plugin
  const words = wordsOf(locale)
  const up = folderOf(locale) === '' ? '../../' : '../../../'
  const folder = up + pluginFolder(name)
  const shown = inLocale(plugin.title, locale) || name
  const screenshots = Object.keys(files).filter((path) => path.startsWith('screenshots/'))
  return page(around, {
    up,
    path: `plugins/${name}/`,
    title: shown,
    body: markup`<p><a href="../../index.html">${around.title}</a></p>
${icon === undefined ? '' : markup`<img class="icon" src="${folder}${icon}" alt="" width="96" height="96">`}
<h1>${shown}</h1>
<p>${inLocale(plugin.description, locale)}</p>
<p class="small">${name} ${versions[0]?.version} · ${words.by} ${publisher} · ${wordFor('trust.', trust, locale)}</p>
${aboutOf(plugin, locale)}
${rightsOf(versions[0], locale)}
<article>${new Markup(readme)}</article>
${section(
  words.screenshots,
  screenshots.map((path) => markup`<img src="${folder}${path}" alt="">\n`),
)}
${versionsOf(versions, folder, locale)}
${section(words.changes, changelog === '' ? [] : [new Markup(changelog)])}`,
  })
}

function aboutOf({ license, homepage, repository, support }: PluginFile, locale: Locale): Markup {
  const words = wordsOf(locale)
  const links = [
    [words.homepage, homepage],
    [words.source, repository],
    [words.support, support],
  ].flatMap(([label, address]) =>
    address === undefined ? [] : [markup` · <a rel="noopener nofollow" href="${address}">${label}</a>`],
  )
  return license === undefined && links.length === 0
    ? markup``
    : markup`<p class="small">${license === undefined ? '' : `${words.licence} ${license}`}${links}</p>`
}

function rightsOf(version: PluginVersion | undefined, locale: Locale): Markup {
  const words = wordsOf(locale)
  const { capabilities = [], optionalCapabilities = [], hosts = [] } = version ?? {}
  const items = [
    ...capabilities.map((right) => markup`<li>${wordFor('right.', right, locale)}</li>`),
    ...optionalCapabilities.map((right) => markup`<li>${wordFor('right.', right, locale)} (${words.optional})</li>`),
  ]
  return markup`<h2>${words.rights}</h2>
${items.length === 0 ? markup`<p>${words.noRights}</p>` : markup`<ul>${items}</ul>`}
${hosts.length === 0 ? '' : markup`<p>${words.hosts}: ${hosts.join(', ')}</p>`}`
}

function versionsOf(versions: readonly PluginVersion[], folder: string, locale: Locale): Markup {
  const words = wordsOf(locale)
  const rows = versions.map(({ version, published, engines, size, kid, url, yanked, provenance }) => {
    const address = url.startsWith('https://') ? url : folder + url
    return markup`<tr><td>${version}${yanked === null ? '' : markup` <strong>${words.yanked}: ${yanked.reason}</strong>`}</td>
<td>${published.slice(0, dayLength)}</td><td>${engines.host}</td><td>${Math.ceil(size / 1024)} KB</td>
<td>${kid === null ? words.unsigned : `${words.signedBy} ${kid}`}${provenance === undefined ? '' : markup`<br>${words.builtBy} ${describeRun(provenance)}`}</td><td><a href="${address}">zip</a></td></tr>
`
  })
  return markup`<h2>${words.versions}</h2>
<table><thead><tr><th>${words.version}</th><th>${words.published}</th><th>${words.needs}</th><th>${words.size}</th><th></th><th>${words.package}</th></tr></thead>
<tbody>${rows}</tbody></table>`
}

function section(title: string, parts: readonly Markup[]): Markup {
  return parts.length === 0 ? markup`` : markup`<h2>${title}</h2>\n${parts}`
}

function page(
  { title: site, generated, locale }: Surroundings,
  {
    up,
    path,
    title,
    body,
  }: { readonly up: string; readonly path: string; readonly title: string; readonly body: Markup },
): string {
  const words = wordsOf(locale)
  const others = locales
    .filter((other) => other !== locale)
    .map((other) => {
      const address = `${up}${folderOf(other)}${path}index.html`
      return markup`<a href="${address}" hreflang="${other}">${wordsOf(other).language}</a> · `
    })
  return markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === site ? site : `${title} · ${site}`}</title>
<link rel="stylesheet" href="${up}site.css">
<link rel="alternate" type="application/atom+xml" href="${up}feed.xml" title="${site}">
<script src="${up}search.js" defer></script>
</head>
<body>
<main>
${body}
</main>
<footer class="small">${others}<a href="${up}feed.xml">${words.feed}</a> · ${words.built} ${generated.slice(0, dayLength)}</footer>
</body>
</html>
`.text
}

function inLocale(text: Localised | undefined, locale: Locale): string {
  return text ? pickText(text, locale) : ''
}
