import { PluginError, type AiTool } from '@stoa/plugin-sdk'

/** Asks the one host that the manifest lists; the model reads what comes back. */
export const lookUp: AiTool = async (input, { http }) => {
  const { currency } = input as { readonly currency: string }
  const { status, body } = await http.fetch({ url: 'https://rates.example.com/latest', query: { base: 'EUR' } })
  if (status !== 200) throw new PluginError('upstream', `The rates answered ${status}`)
  const rate = (body as { readonly rates?: Readonly<Record<string, number>> }).rates?.[currency]
  if (rate === undefined) throw new PluginError('not_found', `There is no rate for ${currency}`)
  return { content: { currency, rate } }
}
