import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** What Chromium, and Chrome, are called where they are installed; the last is the same browser without a window. */
const names = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'],
  'chromium-headless-shell',
]
const elsewhere = [
  '/usr/bin',
  '/snap/bin',
  '/opt/google/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The Chromium of this machine: the one that the variable CHROMIUM names, or else the first that is found. */
export function findChromium(): string | undefined {
  const told = process.env['CHROMIUM']
  if (told !== undefined && told !== '') return told
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''), ...elsewhere]
  return folders
    .flatMap((folder) => (folder.includes('.app/') ? [folder] : names.map((name) => join(folder, name))))
    .find((file) => existsSync(file))
}
