import { saveFile } from '../../api/download.ts'
import { sendForPage } from '../../api/page-request.ts'
import { refusal, wrongParams } from '../fault.ts'
import { textOf } from '../params.ts'
import type { Method } from '../surroundings.ts'
import { addressOf, bytesOf, inTime, longestMilliseconds as milliseconds } from './request.ts'

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  txt: 'text/plain',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}
const mostBase64 = 7_000_000

/** Puts a text where the reader can paste it, after a click of theirs. */
export const copyMethod: Method = async (params, around) => {
  const text = textOf(params, 'text', 1_000_000)
  if (!(await around.wasClicked())) throw refusal('forbidden')
  await navigator.clipboard.writeText(text)
  return {}
}

/** Gives the reader a file, after a click of theirs: of a route of the plugin, or made by the page. */
export const downloadMethod: Method = async (params, around) => {
  const { name, type } = cleanName(textOf(params, 'name', 200))
  if (!(await around.wasClicked())) throw refusal('forbidden')
  saveFile(new Blob([await contentOf()], { type }), name)
  return {}

  async function contentOf(): Promise<Uint8Array<ArrayBuffer>> {
    if (params['path'] === undefined) return fromBase64(textOf(params, 'base64', mostBase64))
    const address = addressOf(params, around.slot)
    return inTime(async () => {
      const asked = { body: undefined, accept: '*/*', slot: around.slot.id, milliseconds }
      const response = await sendForPage('GET', address, asked)
      if (!response.ok) throw refusal(response.status === 403 ? 'forbidden' : 'not_found')
      return bytesOf(response)
    })
  }
}

/** The name as a file may have it, and what it is by its end. */
function cleanName(wanted: string): { readonly name: string; readonly type: string } {
  const name = wanted.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+/, '')
  const end = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  const type = Object.hasOwn(types, end) ? types[end] : undefined
  if (type === undefined) throw wrongParams('name must end as a file that may be saved')
  return { name: name.slice(-100), type }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    throw wrongParams('base64 must be what it is called')
  }
}
