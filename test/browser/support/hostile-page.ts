import type { BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { demoOwner, type Acts } from './stage.ts'

/** A plugin with a page, one in the header, and files that try to run where none may. */
export const hostile = 'acme.hostile-page'

const manifest = {
  ...{ title: { default: 'Hostile' }, capabilities: ['ui'], reasons: { ui: 'Shows pages.' } },
  slots: [
    { slot: 'page', id: 'trap', entry: 'ui/page.html', title: { default: 'Trap' } },
    { slot: 'header_widget', id: 'grab', entry: 'ui/page.html', title: { default: 'Grab' } },
  ],
}
const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Trap</title>'
const speak = `console.log('it runs and has ' + [typeof RTCPeerConnection, typeof WebTransport].join())`
const files = {
  'ui/page.html': `${head}<script type="module" src="page.js"></script></head><body><p>It is there</p><input id="word"></body></html>`,
  'ui/page.js': `import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'
globalThis.stoa = await connect()
addEventListener('keydown', ({ key }) => console.log('read: ' + key))
stoa.ready()
`,
  'ui/tell.js': `parent.postMessage('it runs', '*')\n`,
  'ui/speak.js': `'use strict'\n${speak}\n`,
  // A window of a script's own is none that anything could be taken from.
  'ui/function.js': `${speak}\nfunction window() {}\n`,
  'ui/module.js': `import * as window from './module.js'\n${speak}\n`,
  'ui/variable.js': `${speak}\nvar window\n`,
  'ui/given.js': `import { window } from './giver.js'\n${speak}\n`,
  'ui/giver.js': `import './given.js'\nexport const window = { [Symbol.toStringTag]: 'Window' }\n`,
  'ui/inline.html': `${head}<script>${speak}</script><script src="nest.js"></script></head><body></body></html>`,
  'ui/nest.js': `const inline = document.scripts[1].text
for (const text of [inline, inline.slice(inline.indexOf('console'))])
  document.documentElement.append(Object.assign(document.createElement('iframe'), { srcdoc: '<script>' + text + '</' + 'script>' }))
`,
  'ui/tell.html': `${head}<script src="tell.js"></script></head><body></body></html>`,
  'ui/tell.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script href="tell.js"/><script>parent.postMessage('it runs', '*')</script></svg>`,
}

/** Installs it for the demo tenant. */
export async function giveHostile({ stage }: Acts): Promise<void> {
  const admin = await stage.staff()
  await installAndEnable(admin, await packSmall(hostile, manifest, undefined, files))
  const tenants = dataOf(await admin.get('/admin/tenants?q=demo'))['items'] as unknown as { id: number }[]
  dataOf(await admin.post(`/admin/plugins/${hostile}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
  dataOf(await (await stage.owner()).post(`/tenant/plugins/${hostile}/enable`))
}

/** Takes it away. */
export async function takeHostile({ stage }: Acts): Promise<void> {
  await (await stage.staff()).delete(`/admin/plugins/${hostile}?purge=true`)
}

/** A browser of whoever may see its pages. */
export function reader(acts: Acts, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  // A header on every request would make a browser ask before it loads the scripts of a page with an origin of its own.
  return acts.signedIn(demoOwner(acts.stage), { extraHTTPHeaders: {}, ...options })
}

/** A tab whose faults are those of what is tried in it, and the page of the plugin in it: its own, or the one in the header. */
export async function trapped(
  acts: Acts,
  place = `/plugins/${hostile}/trap`,
  origin = acts.stage.host.url,
  context?: BrowserContext,
): Promise<{ readonly page: Page; readonly inside: Frame }> {
  const page = await (context ?? (await reader(acts))).newPage()
  await page.goto(`${origin}/console${place}`)
  const title = place.startsWith(`/plugins/${hostile}`) ? 'Trap · Hostile' : 'Grab · Hostile'
  const frame = await page.locator(`iframe[title="${title}"]`).elementHandle()
  const inside = await frame?.contentFrame()
  if (!inside) throw new Error('there is no frame')
  await page.locator(`.holder:not(.waiting) > iframe[title="${title}"]:not(.waiting)`).waitFor()
  return { page, inside }
}
