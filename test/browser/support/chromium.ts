import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

/** The shell is the same browser without a window, which takes half as long. */
const known = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** Starts Chromium; says how to install it where there is none. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch(findChromium())
}

/** A browser that keeps what it has in a folder, so that it can be started there again. */
export async function restartableChromium(folder: string): Promise<BrowserContext> {
  return patient(await chromium.launchPersistentContext(folder, { ...findChromium(), locale: 'en-US' }))
}

/** On a busy machine a page takes its time; what never comes fails all the same. */
export function patient(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(120_000)
  return context
}

/**
 * Each page of a test is a new process: what its compilers optimise is soon gone, and takes a quarter of the processor time of a run.
 * What runs ten times as often as usual is still optimised, so that long work on the main thread is as short as anywhere.
 */
const lateCompilers = '--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000'

function findChromium() {
  const executablePath = process.env['CHROMIUM'] ?? known.find((file) => existsSync(file))
  if (executablePath === undefined)
    throw new Error('Chromium is needed: apt-get install chromium-headless-shell, or name it in CHROMIUM')
  // Each frame of a plugin has a process of its own, as in any window of Chromium; the shell wants to be told.
  return { executablePath, args: ['--no-sandbox', '--site-per-process', lateCompilers] }
}

/** What Chromium itself says of what the server refused, which stands in the answer, or of a socket without the network that a test took away. */
function isOfNetwork(said: string): boolean {
  return said.startsWith('Failed to load resource') || said.endsWith('net::ERR_INTERNET_DISCONNECTED')
}

/** What went wrong in a page: errors of its scripts and of its policy, answers of the server that failed, other hosts. */
export function watchPage(page: Page, origin: string): { readonly faults: readonly string[] } {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfNetwork(message.text())) faults.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(origin)) faults.push(`elsewhere: ${request.url()}`)
  })
  return { faults }
}
